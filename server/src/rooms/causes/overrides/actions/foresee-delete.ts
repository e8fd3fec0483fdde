import type { RequestOrigin } from '#platform/http'
import type { Foreseen, PlannedCall } from '#platform/planning'
import type { Means } from '../means.ts'
import { fullNameOf } from '../rules/index.ts'
import * as store from '../store.ts'
import { canSee, findVisibleOverride } from './find-override.ts'

const HIDDEN = 'Rules that the planner may not see decide afterwards, too: another person has to approve.'

/**
 * What may decide about the repository once the override is gone: overrides of other teams, triggers, and manifests. Any of
 * them that the planner may not see asks for a person, whether it starts something or not: otherwise the answer would tell.
 */
export async function foreseeDelete(
  means: Means,
  { caller }: RequestOrigin,
  { params: { repoOwner = '', repoName = '' } }: PlannedCall,
): Promise<Foreseen> {
  const name = { repoOwner, repoName }
  const deleted = await findVisibleOverride(means, caller, name)
  const overrides = await store.listOfRepository(means.database.kysely, name)
  const others = overrides.filter(({ id }) => id !== deleted?.override.id)
  const triggers = await means.above.listTriggers(fullNameOf(name))
  const sources = (await means.above.listSources())(fullNameOf(name))
  const manifestTeams = [...new Set(sources.flatMap(({ manifestTeam }) => manifestTeam ?? []))]
  const isHidden =
    others.some((override) => !canSee(caller, override)) ||
    triggers.some(({ teamPath }) => !caller.can('trigger.read', teamPath)) ||
    manifestTeams.some((teamPath) => !caller.can('webhook_source.read', teamPath))
  if (isHidden) return { starts: [], needsPerson: HIDDEN }
  return {
    starts: [...others, ...triggers].map(({ pipeline, scope }) => ({ pipeline, scope })),
    // A manifest names what its author likes, within the team of the source.
    patterns: manifestTeams.map((teamPath) => [teamPath === '/' ? '**' : `${teamPath}/**`]),
  }
}
