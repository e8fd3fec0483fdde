import type { Caller } from '#platform/http'
import type { Described } from '#platform/planning'
import type { Means } from '../means.ts'
import {
  type Confirmation,
  judgeConfirmation,
  matchScopes,
  type ReachedPlaces,
  type StoredPlan,
} from '../rules/index.ts'

/** Who has to say yes, by what is protected now. */
export async function judgeReached(means: Means, reached: ReachedPlaces): Promise<Confirmation> {
  const all = await means.teams.listScopes(means.database.kysely)
  const isProtected = new Map(all.map((each) => [`${each.teamPath}/${each.environment}`, each.protected]))
  return judgeConfirmation(
    means.config.mcpConfirmation,
    reached,
    (scope) => isProtected.get(scope) === true,
    (team) => [...isProtected].find(([scope, is]) => is && scope.slice(0, scope.lastIndexOf('/')) === team)?.[0],
  )
}

const SOMEWHERE = 'It may reach a protected environment: another person has to approve.'

/**
 * Why another person has to approve, for this viewer. A pipeline of others may reach what the planner may not see, and the
 * planner may see more than those who approve.
 */
export function reasonFor(
  viewer: Caller,
  {
    confirmationReason: reason,
    confirmationPlace: place,
  }: Pick<StoredPlan, 'confirmationReason' | 'confirmationPlace'>,
): string | null {
  if (place === null || viewer.can('environment.read', place.slice(0, place.lastIndexOf('/')))) return reason
  return SOMEWHERE
}

const UNKNOWN = 'Not all is known that it reaches, by its steps and child pipelines: another person has to approve.'

/** With the scopes of steps and of child pipelines, as they are now. */
export async function findReached(
  means: Means,
  { scopes, teams = [], starts = [], documents = [], patterns = [], needsPerson }: Described,
): Promise<ReachedPlaces> {
  const all = [...starts, ...documents.map((document) => ({ document }))]
  const reach = await means.pipelines.reachScopes(means.database.kysely, all)
  return {
    scopes: [...new Set([...scopes, ...reach.scopes, ...(await listMatched(means, patterns))])],
    teams,
    needsPerson: needsPerson ?? (reach.isKnown ? undefined : UNKNOWN),
  }
}

async function listMatched(means: Means, patterns: NonNullable<Described['patterns']>): Promise<readonly string[]> {
  if (patterns.length === 0) return []
  const all = await means.teams.listScopes(means.database.kysely)
  return matchScopes(
    patterns,
    all.map(({ teamPath, environment }) => `${teamPath}/${environment}`),
  )
}
