import type { Statement } from '#platform/database'
import type { CountingKit } from '../means.ts'
import { settleRuns } from '../rules/settle-runs.ts'
import type { StandingRun } from '../rules/standing-run.ts'
import { lockingGroups, standingRuns } from '../store/standing-runs.ts'
import { changing } from './change-runs.ts'

export interface SettleOrder {
  readonly ids: readonly string[]
  /** They were just queued. False: a member approved them, and only now they enter their groups. */
  readonly arrived: boolean
}

/**
 * The statements that decide what queued runs mean for others of their groups and pull requests. They lock both until
 * the transaction ends: put them as late as possible.
 */
export function settling(means: CountingKit, { ids, arrived }: SettleOrder): readonly Statement[] {
  if (ids.length === 0) return []
  const standing: Statement<StandingRun> = {
    ...standingRuns(ids),
    follow: (runs) =>
      changing(means, { runs, changes: settleRuns({ runs, given: ids, arrived }), at: means.clock.now() }),
  }
  return [lockingGroups(ids), standing]
}
