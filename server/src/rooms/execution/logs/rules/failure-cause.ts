import type { FailureCause } from '@signalbox/contracts/logs'
import type { AttemptRow, RunOutcome } from '#rooms/execution/runs'

export type FallenTask = RunOutcome['tasks'][number]
export type FallenStep = RunOutcome['steps'][number]

const OUT_OF_MEMORY = /^The task was killed: it used more than \d+ MB\./
const KILLED = /^The task was killed \(SIGKILL/
const SIGNALED = /^The script was ended by SIG[A-Z0-9]{1,10}\./
const SIGKILLED = /^The script was ended by SIGKILL\./
const IMAGE = /^(?:The service \S+ could not be started\. )?The image \S+ /
const POLICY = /^The (?:policy|guardrail) \S+ (?:is violated|cannot be judged)/
/** A shell says so when a signal ended the program: 128 and its number, of SIGKILL 9. */
const KILLED_CODE = 137

/** Why a task failed by itself. `attempt` is its newest one, if it had any. */
export function causeOfTask(task: FallenTask, attempt: AttemptRow | undefined, isStepLate: boolean): FailureCause {
  const { status, kind, reason } = task
  if (POLICY.test(reason ?? '')) return 'policy'
  if (kind === 'approval') return status === 'timed_out' ? 'approval_expired' : 'approval_rejected'
  if (!attempt) return 'condition'
  if (attempt.status === 'lost') return 'runner_lost'
  if (status === 'timed_out' && attempt.status === 'canceled') return isStepLate ? 'step_timeout' : 'run_timeout'
  if (attempt.status === 'timed_out') return 'task_timeout'
  if (attempt.childRunId !== null) return 'child_run'
  return causeOfEnd(attempt)
}

/** A step that failed although none of its tasks did. */
export function causeOfStep({ isLate, reason }: FallenStep): FailureCause {
  if (isLate) return 'step_timeout'
  return POLICY.test(reason ?? '') ? 'policy' : 'condition'
}

/** By the sentences of the runner: what ended a process is told nowhere else. */
function causeOfEnd({ reason, exitCode, startedAt }: AttemptRow): FailureCause {
  const said = reason ?? ''
  if (OUT_OF_MEMORY.test(said)) return 'out_of_memory'
  if (exitCode === KILLED_CODE || KILLED.test(said) || SIGKILLED.test(said)) return 'killed'
  if (SIGNALED.test(said)) return 'signal'
  if (exitCode !== null) return 'exit_code'
  if (IMAGE.test(said)) return 'image'
  return startedAt === null ? 'not_started' : 'unclear'
}

/** The name of the signal that ended the script; undefined: none did. */
export function signalOf(reason: string | null): string | undefined {
  return /^The script was ended by (SIG[A-Z0-9]{1,10})\./.exec(reason ?? '')?.[1]
}

const ENDED: ReadonlySet<FailureCause> = new Set([
  'killed',
  'out_of_memory',
  'task_timeout',
  'step_timeout',
  'run_timeout',
  'runner_lost',
])

/** Whether the task was ended in the middle of its work. */
export function wasEnded(cause: FailureCause): boolean {
  return ENDED.has(cause)
}
