import type { Caller } from '#platform/http'
import type { Runner } from '#rooms/catalog/runners'
import type { Means } from '../means.ts'
import { conditionOf, type RunnerCondition } from '../rules/runner-condition.ts'

export interface DispatcherView {
  readonly runners: readonly { readonly runner: Runner; readonly state: RunnerCondition; readonly inUse: number }[]
  readonly queued: number
  readonly running: number
  readonly waiting: number
}

/** The work of the dispatchers of all processes, as far as the caller may see it. */
export async function readStatus(means: Means, caller: Caller): Promise<DispatcherView> {
  const db = means.database.kysely
  const prefixes = caller.prefixes('runner.read')
  const runners = (await means.runners.list(db)).filter((runner) => caller.can('runner.read', runner.teamPath))
  const leased = await means.runs.progress.countLeased(db)
  const counts = await means.runs.progress.countByStatus(db, prefixes)
  return {
    runners: runners.map((runner) => ({
      runner,
      state: conditionOf(runner, means.runners.isReachable(runner)),
      inUse: leased.get(runner.id) ?? 0,
    })),
    queued: counts.get('queued') ?? 0,
    running: counts.get('running') ?? 0,
    waiting: await means.runs.progress.countWaiting(db, prefixes),
  }
}
