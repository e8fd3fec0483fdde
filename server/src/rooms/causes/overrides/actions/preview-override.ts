import type { OverridePreview } from '@signalbox/contracts/overrides'
import type { Caller } from '#platform/http'
import type { Kit } from '#platform/room'
import type { OverrideNeeds } from '../index.ts'
import { fullNameOf, type Override } from '../rules/index.ts'
import type * as store from '../store.ts'
import { ownerOf, requireTarget, type WantedTarget } from './check-target.ts'

export interface PreviewRequest {
  /** `owner/name` as it was asked for. */
  readonly repository: string
  /** As if it were stored; the caller is its owner. */
  readonly candidate: Override
}

/**
 * What the last 50 deliveries of the repository would have started with the candidate, told by the room of events. It
 * shows only deliveries that the caller may see (delivery.read).
 */
export type PreviewReader = (caller: Caller, request: PreviewRequest) => Promise<OverridePreview>

/** Refuses what a PUT would refuse (400, 403), but for another override that stands there. Else 503. */
export async function previewOverride(
  kit: Kit,
  needs: OverrideNeeds,
  caller: Caller,
  wanted: store.RepositoryName & WantedTarget,
): Promise<OverridePreview> {
  const { repoOwner, repoName } = wanted
  const repository = fullNameOf(wanted)
  const target = await requireTarget(kit.database.kysely, needs, caller, repository, wanted)
  const now = kit.clock.now()
  const candidate: Override = {
    id: kit.ids.next(),
    repoOwner,
    repoName,
    ...target,
    expiresAt: null,
    reason: null,
    owner: ownerOf(caller),
    createdAt: now,
    updatedAt: now,
  }
  return needs.preview(caller, { repository, candidate })
}
