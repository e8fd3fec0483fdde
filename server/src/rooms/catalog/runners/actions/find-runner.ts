import type { RunnerQuery } from '@signalbox/contracts/runners'
import { type Caller, type Page, pageOf, requireVisible } from '#platform/http'
import { type Problem, platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import type { Runner } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** Runners that the caller may see; with `team_path` those of that team and the teams below it. */
export function listRunners(means: Means, caller: Caller, query: RunnerQuery): Promise<Page<Runner>> {
  const filter = { prefixes: caller.prefixes('runner.read'), teamPath: query.team_path }
  return pageOf(query, (window) => store.listRunners(means.database.kysely, { ...filter, ...window }))
}

/** 404 when it does not exist or the caller may not see it: the two look alike. */
export async function getVisibleRunner(means: Means, caller: Caller, id: string): Promise<Runner> {
  const found = await store.findRunner(means.database.kysely, id)
  return requireVisible(caller, 'runner.read', found, () => unknownRunner(id))
}

export function unknownRunner(id: string): Problem {
  return platformProblem('not_found', `There is no runner ${id} that you may see.`)
}

/** The runner as an audit record keeps it. */
export function contentOf({ name, scopes, labels, enabled, draining }: Runner): unknown {
  return { name, scopes, labels, enabled, draining }
}

/** The resource and the team of an audit record. */
export function about({ id, teamPath }: Runner) {
  return { resource: { kind: 'runner', id }, teamPath }
}
