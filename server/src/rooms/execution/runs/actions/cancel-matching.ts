import type { Statement } from '#platform/database'
import type { CountingKit } from '../means.ts'
import { cancelOf } from '../rules/standing-run.ts'
import { runsOfPullRequests, type WantedRun } from '../store/standing-runs.ts'
import { changing } from './change-runs.ts'

/** A wish to end the unfinished runs that a trigger started for a pull request. */
export interface CancelWish {
  readonly triggerId: string | null
  /** Counts where `triggerId` is null. */
  readonly manifestTrigger: string | null
  /** Runs of this team and those below; counts with `manifestTrigger`, whose name another team's source may know too. */
  readonly teamPath: string | null
  readonly repository: string
  readonly pullRequest: number
  /** The name of the person who asked, for the reason. */
  readonly by: string
}

/** The statements that cancel as a person does: for a transaction that is sent at once. */
export function cancelingRuns(means: CountingKit, wishes: readonly CancelWish[]): readonly Statement[] {
  if (wishes.length === 0) return []
  const rows = wishes.map((wish) => ({
    trigger_id: wish.triggerId,
    manifest_trigger: wish.manifestTrigger,
    team_path: wish.teamPath,
    repository: wish.repository,
    pull_request: wish.pullRequest,
    reason: `canceled by a comment of ${wish.by}`,
  }))
  const canceling: Statement<WantedRun> = {
    ...runsOfPullRequests(rows),
    follow(runs) {
      const changes = runs.flatMap((run) => cancelOf(run, run.wish) ?? [])
      return changing(means, { runs, changes, at: means.clock.now() })
    },
  }
  return [canceling]
}
