import type { Caller } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Runner, Runners } from '#rooms/catalog/runners'
import type { Runs } from '#rooms/execution/runs'
import { conditionOf, type RunnerCondition } from '../rules/runner-condition.ts'

export interface StatusNeeds {
  readonly runners: Pick<Runners, 'list' | 'isReachable'>
  readonly runs: Pick<Runs, 'progress'>
}

export interface DispatcherView {
  readonly runners: readonly { readonly runner: Runner; readonly state: RunnerCondition; readonly inUse: number }[]
  readonly queued: number
  readonly running: number
  readonly waiting: number
}

/** What the dispatchers of all processes have to do, as far as the caller may see it. */
export async function readStatus(kit: Kit, needs: StatusNeeds, caller: Caller): Promise<DispatcherView> {
  const db = kit.database.kysely
  const prefixes = caller.prefixes('runner.read')
  const runners = (await needs.runners.list(db)).filter((runner) => caller.can('runner.read', runner.teamPath))
  const leased = await needs.runs.progress.countLeased(db)
  const counts = await needs.runs.progress.countByStatus(db, prefixes)
  return {
    runners: runners.map((runner) => ({
      runner,
      state: conditionOf(needs.runners, runner),
      inUse: leased.get(runner.id) ?? 0,
    })),
    queued: counts.get('queued') ?? 0,
    running: counts.get('running') ?? 0,
    waiting: await needs.runs.progress.countWaiting(db, prefixes),
  }
}
