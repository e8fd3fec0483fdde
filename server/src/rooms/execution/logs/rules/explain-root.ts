import type { Evidence, Finding } from '@signalbox/contracts/http'
import type { FailureCause } from '@signalbox/contracts/logs'
import { signalOf } from './failure-cause.ts'
import type { Root } from './failure-roots.ts'

export interface ExplainedRoot {
  readonly findings: readonly Finding[]
  readonly whatToDo: readonly Finding[]
}

const NOT_FOUND_CODE = 127
const NOT_EXECUTABLE_CODE = 126
const TIMEOUT_CODE = 124
const FIRST_SIGNAL_CODE = 129
const LAST_SIGNAL_CODE = 192

/** Sentences about one failure; they quote nothing that a task, a runner or a person wrote. */
export function explainRoot(runId: string, root: Root): ExplainedRoot {
  const { step, task, attempt, cause } = root
  const place = task === undefined ? step : `${step}/${task}`
  const what = task === undefined ? `Step ${step}` : `Task ${place}`
  const evidence: Evidence[] = [
    { kind: task === undefined ? 'step' : 'task', id: place, run_id: runId },
    ...(attempt ? [{ kind: 'attempt', id: attempt.id, run_id: runId } as const] : []),
    ...(attempt?.childRunId ? [{ kind: 'run', id: attempt.childRunId } as const] : []),
    ...(attempt?.runnerId ? [{ kind: 'runner', id: attempt.runnerId } as const] : []),
  ]
  const say = (code: string, sentence: string): Finding => ({ code, sentence, evidence })
  const tried = attempt && attempt.number > 1 ? [say('task.tried_again', triedAgain(what, attempt.number))] : []
  const ignored =
    root.status === 'failure (ignored)' || root.status === 'warning'
      ? [say('task.ignored', `The pipeline ignores this failure: ${what} did not end the run.`)]
      : []
  const meaning = codeMeaning(root)
  return {
    findings: [
      say(`failure.${cause}`, `${what} ${describe(root)}.`),
      ...(meaning === undefined ? [] : [say('failure.code_meaning', meaning)]),
      ...tried,
      ...ignored,
    ],
    whatToDo: advise(cause).map((sentence) => say(`advice.${cause}`, sentence)),
  }
}

function triedAgain(what: string, count: number): string {
  return `${what} was tried ${count} times; this is its last attempt.`
}

function describe({ cause, attempt, reason }: Root): string {
  switch (cause) {
    case 'exit_code':
      return `ended with exit code ${attempt?.exitCode ?? 'unknown'}`
    case 'signal':
      return `was ended by the signal ${signalOf(attempt?.reason ?? null) ?? 'of somebody'}`
    case 'out_of_memory':
      return 'was killed because it used more memory than its limit'
    case 'killed':
      return 'was killed (SIGKILL), by itself, by somebody on its machine, or by the kernel for want of memory'
    case 'task_timeout':
      return `took longer than its timeout${secondsOf(attempt?.reason ?? reason)}`
    case 'step_timeout':
      return 'was ended because the time limit of its step was over'
    case 'run_timeout':
      return 'was ended because the time limit of the run was over'
    case 'runner_lost':
      return 'lost its runner, so that nobody knows how it ended'
    case 'image':
      return 'did not begin, because its image could not be had'
    case 'not_started':
      return 'did not begin; the reason says why'
    case 'policy':
      return 'was forbidden by an item of knowledge that binds; the reason names it'
    case 'condition':
      return 'did not begin, because its condition could not be evaluated'
    case 'approval_rejected':
      return 'was rejected by a person'
    case 'approval_expired':
      return 'was not approved in time'
    case 'child_run':
      return 'ran another pipeline, and that run failed'
    case 'unclear':
      return 'failed without an exit code; the reason says what is known'
    default:
      return cause satisfies never
  }
}

function secondsOf(reason: string | null): string {
  const seconds = /^The task took longer than its timeout of (\d{1,9}) s\.$/.exec(reason ?? '')?.[1]
  return seconds === undefined ? '' : ` of ${seconds} s`
}

/** What shells and common programs mean by an exit code. */
function codeMeaning({ cause, attempt }: Root): string | undefined {
  const code = attempt?.exitCode
  if (cause !== 'exit_code' || code === null || code === undefined) return undefined
  if (code === NOT_FOUND_CODE) return 'Shells answer exit code 127 when they do not find a command.'
  if (code === NOT_EXECUTABLE_CODE) return 'Shells answer exit code 126 when they may not execute a command.'
  if (code === TIMEOUT_CODE) return 'The command timeout answers exit code 124 when the time is over.'
  if (code >= FIRST_SIGNAL_CODE && code <= LAST_SIGNAL_CODE) {
    return `Shells answer exit code ${code} when signal ${code - 128} ended a program.`
  }
  return undefined
}

function advise(cause: FailureCause): readonly string[] {
  switch (cause) {
    case 'out_of_memory':
      return ['Raise the memory limit of the task or its profile, or let it use less.']
    case 'killed':
      return ['Compare the memory that the task needs with its limit and with the machine of the runner.']
    case 'task_timeout':
      return ['See in the last lines where it hung; raise `timeout` of the task only if it was still at work.']
    case 'step_timeout':
      return ['See which task took the time; raise `timeout` of the step only if all were still at work.']
    case 'run_timeout':
      return ['See which task took the time; raise `timeout` of the pipeline only if all were still at work.']
    case 'runner_lost':
      return ['Look at the runner, then run it again; `idempotent: true` or `retry` lets such a task be tried again.']
    case 'image':
      return ['Check the name of the image, the registry, and the credential that the task names for it.']
    case 'approval_expired':
      return ['Run it again, and ask somebody who may approve in time.']
    case 'child_run':
      return ['Ask the same question about the run that it started.']
    case 'policy':
      return ['Change what the item forbids, or ask its owners.']
    case 'condition':
      return ['Mend the condition in the document of the pipeline.']
    default:
      return []
  }
}
