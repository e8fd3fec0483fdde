import type { OverridePreview } from '@signalbox/contracts/overrides'
import type { Caller } from '#platform/http'
import type { Kit } from '#platform/room'
import type { OverrideNeeds } from '../index.ts'
import { findReplaced, fullNameOf, type Override, type Standing, standingOf } from '../rules/index.ts'
import type * as store from '../store.ts'
import { ownerOf, requireTarget, type WantedTarget } from './check-target.ts'
import { rightsOf, standingsOf } from './find-override.ts'

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
export type PreviewReader = (
  caller: Caller,
  request: PreviewRequest,
) => Promise<Pick<OverridePreview, 'deliveries_considered' | 'changes'>>

/** Refuses what a PUT would refuse (400, 403), but for another override that stands there. Else 503. */
export async function previewOverride(
  kit: Kit,
  needs: OverrideNeeds,
  caller: Caller,
  wanted: store.RepositoryName & WantedTarget,
): Promise<OverridePreview> {
  const { repoOwner, repoName } = wanted
  const repository = fullNameOf(wanted)
  const target = await requireTarget(kit.database.kysely, needs, caller, wanted)
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
  const { inEffect, reason } = await foreseeStanding(needs, caller, candidate, now)
  const told = await needs.preview(caller, { repository, candidate })
  return { in_effect: inEffect, not_in_effect_because: reason, ...told }
}

/** As it would stand once it had replaced what a PUT of it would replace. */
async function foreseeStanding(
  needs: Pick<OverrideNeeds, 'sources' | 'finder'>,
  caller: Caller,
  candidate: Override,
  now: Date,
): Promise<Standing> {
  const name = fullNameOf(candidate)
  const sources = (await needs.sources())(name)
  const stored = (await needs.finder()).list(name)
  const replaced = findReplaced(rightsOf(caller), candidate.teamPath, standingsOf(stored, sources, now))
  const others = stored.filter(({ id }) => id !== replaced?.id)
  return standingOf({ ...candidate, id: replaced?.id ?? candidate.id }, others, sources, now)
}
