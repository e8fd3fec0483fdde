import type { StoredAttempt } from './history.ts'

/** The parts of a run that are used here; lists leave out the steps. */
export interface RunShown {
  readonly run_id: string
  readonly status: string
  readonly reason: string | null
  readonly cause: string
  readonly commit_sha: string | null
  readonly queue_reason?: string | null
  readonly approval_requests?: readonly { readonly step: string; readonly status: string }[]
  readonly steps?: readonly {
    readonly name: string
    readonly tasks: readonly {
      readonly name: string
      readonly attempts: readonly {
        readonly attempt: number
        readonly status: string
        readonly runner_id: string | null
        readonly leased_at: string | null
        readonly finished_at: string | null
      }[]
    }[]
  }[]
}

/** The attempts of a run, by step and task; fences are not shown. */
export function attemptsOf(run: RunShown): readonly StoredAttempt[] {
  return (run.steps ?? []).flatMap((step) =>
    step.tasks.flatMap((task) =>
      task.attempts.map((attempt) => ({
        runId: run.run_id,
        step: step.name,
        task: task.name,
        attempt: attempt.attempt,
        status: attempt.status,
        runner: attempt.runner_id,
        fence: null,
        leasedAt: timeOf(attempt.leased_at),
        finishedAt: timeOf(attempt.finished_at),
      })),
    ),
  )
}

function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}
