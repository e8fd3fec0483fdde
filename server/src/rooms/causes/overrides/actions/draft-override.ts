import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import {
  findReplaced,
  fullNameOf,
  type Override,
  type RepositoryName,
  type Standing,
  standingOf,
} from '../rules/index.ts'
import type { WantedTarget } from './check-target.ts'
import { rightsOf, standingsOf } from './find-override.ts'
import { readWanted } from './put-override.ts'

export type WantedOverride = RepositoryName & WantedTarget

export interface DraftedOverride {
  /** As it would be stored; the caller is its owner. */
  readonly override: Override
  /** Among those that stand there now. */
  readonly standing: Standing
}

/** Refuses what a PUT would refuse (400, 403), except for a conflict with another override, and stores nothing. */
export async function draftOverride(means: Means, caller: Caller, wanted: WantedOverride): Promise<DraftedOverride> {
  const override = await readWanted(means, means.database.kysely, caller, { ...wanted, expiresAt: null, reason: null })
  return { override, standing: await foreseeStanding(means, caller, override) }
}

/** The standing that the override would have after a PUT of it. */
async function foreseeStanding(means: Means, caller: Caller, candidate: Override): Promise<Standing> {
  const name = fullNameOf(candidate)
  const now = candidate.createdAt
  const sources = (await means.above.listSources())(name)
  const stored = (await means.copy.get()).list(name)
  const replaced = findReplaced(rightsOf(caller), candidate.teamPath, standingsOf(stored, sources, now))
  const others = stored.filter(({ id }) => id !== replaced?.id)
  return standingOf({ ...candidate, id: replaced?.id ?? candidate.id }, others, sources, now)
}
