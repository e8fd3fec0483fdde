import { type Caller, ownerOf } from '#platform/http'
import type { Means } from '../means.ts'
import { findReplaced, fullNameOf, type Override, type Standing, standingOf } from '../rules/index.ts'
import type * as store from '../store.ts'
import { requireTarget, type WantedTarget } from './check-target.ts'
import { rightsOf, standingsOf } from './find-override.ts'
import { findNow } from './keep-overrides.ts'

export type WantedOverride = store.RepositoryName & WantedTarget

export interface DraftedOverride {
  /** As it would be stored; the caller is its owner. */
  readonly override: Override
  /** Among those that stand there now. */
  readonly standing: Standing
}

/** Refuses what a PUT would refuse (400, 403), but for another override that stands there. Nothing is stored. */
export async function draftOverride(means: Means, caller: Caller, wanted: WantedOverride): Promise<DraftedOverride> {
  const { repoOwner, repoName } = wanted
  const target = await requireTarget(means, means.database.kysely, caller, wanted)
  const now = means.clock.now()
  const override: Override = {
    id: means.ids.next(),
    repoOwner,
    repoName,
    ...target,
    expiresAt: null,
    reason: null,
    owner: ownerOf(caller),
    createdAt: now,
    updatedAt: now,
  }
  return { override, standing: await foreseeStanding(means, caller, override, now) }
}

/** As it would stand once it had replaced what a PUT of it would replace. */
async function foreseeStanding(means: Means, caller: Caller, candidate: Override, now: Date): Promise<Standing> {
  const name = fullNameOf(candidate)
  const sources = (await means.above.listSources())(name)
  const stored = (await findNow(means)).list(name)
  const replaced = findReplaced(rightsOf(caller), candidate.teamPath, standingsOf(stored, sources, now))
  const others = stored.filter(({ id }) => id !== replaced?.id)
  return standingOf({ ...candidate, id: replaced?.id ?? candidate.id }, others, sources, now)
}
