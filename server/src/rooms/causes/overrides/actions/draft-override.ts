import { type Caller, ownerOf } from '#platform/http'
import type { Kit } from '#platform/room'
import type { OverrideNeeds } from '../index.ts'
import { findReplaced, fullNameOf, type Override, type Standing, standingOf } from '../rules/index.ts'
import type * as store from '../store.ts'
import { requireTarget, type WantedTarget } from './check-target.ts'
import { rightsOf, standingsOf } from './find-override.ts'

export type WantedOverride = store.RepositoryName & WantedTarget

export interface DraftedOverride {
  /** As it would be stored; the caller is its owner. */
  readonly override: Override
  /** Among those that stand there now. */
  readonly standing: Standing
}

/** Refuses what a PUT would refuse (400, 403), but for another override that stands there. Nothing is stored. */
export async function draftOverride(
  kit: Kit,
  needs: OverrideNeeds,
  caller: Caller,
  wanted: WantedOverride,
): Promise<DraftedOverride> {
  const { repoOwner, repoName } = wanted
  const target = await requireTarget(kit.database.kysely, needs, caller, wanted)
  const now = kit.clock.now()
  const override: Override = {
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
  return { override, standing: await foreseeStanding(needs, caller, override, now) }
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
