import type { Statement } from '#platform/database'
import type { CountingKit } from '../means.ts'
import { settleRuns } from '../rules/settle-runs.ts'
import type { StandingRun } from '../rules/standing-run.ts'
import { lockingGroups, standingRuns } from '../store/standing-runs.ts'
import { changing } from './change-runs.ts'

export interface SettleOrder {
  readonly ids: readonly string[]
  /** True: the runs were just queued. False: a member approved them, and only now they enter their groups. */
  readonly arrived: boolean
}

/**
 * The statements that decide the effect of queued runs on others of their groups and pull requests. Put the statements as
 * late as possible: they lock both until the transaction ends.
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
