import type { FailureCause } from '@signalbox/contracts/logs'
import type { AttemptRow, RunOutcome } from '#rooms/execution/runs'
import { causeOfStep, causeOfTask, type FallenStep, type FallenTask } from './failure-cause.ts'

/** What failed by itself: a task, or a step none of whose tasks failed. */
export interface Root {
  readonly step: string
  readonly task: string | undefined
  readonly status: 'failure' | 'failure (ignored)' | 'timed_out' | 'warning'
  readonly reason: string | null
  readonly cause: FailureCause
  /** The newest attempt of the task. */
  readonly attempt: AttemptRow | undefined
}

export interface Fall {
  /** Those that ended the run first; among them, and among the ignored ones, the first to fail first. */
  readonly roots: readonly Root[]
  /** Skipped because something before them failed. */
  readonly neverRan: readonly FallenTask[]
  /** Ended, or kept from beginning, as the run or the step was ended. */
  readonly canceled: readonly FallenTask[]
}

/** Tells what failed by itself from what did not run, or was ended, because of it. */
export function findFall({ steps, tasks }: RunOutcome, attempts: readonly AttemptRow[]): Fall {
  const newest = new Map(attempts.map((attempt) => [`${attempt.step}/${attempt.task}`, attempt]))
  const late = new Set(steps.filter(({ isLate }) => isLate).map(({ step }) => step))
  const failed = tasks.flatMap((task): Root[] => {
    const { step, status, reason } = task
    if (status !== 'failure' && status !== 'failure (ignored)' && status !== 'timed_out') return []
    // A rerun takes over what succeeded, so an attempt of this run is the one that failed.
    const attempt = newest.get(`${step}/${task.task}`)
    return [{ step, task: task.task, status, reason, cause: causeOfTask(task, attempt, late.has(step)), attempt }]
  })
  const told = new Set(failed.map(({ step }) => step))
  const roots = [...failed, ...steps.filter(({ step }) => !told.has(step)).map(toRoot)]
  const isIgnored = ({ status }: Root): boolean => status === 'failure (ignored)' || status === 'warning'
  return {
    roots: [...roots.filter((root) => !isIgnored(root)), ...roots.filter(isIgnored)],
    neverRan: tasks.filter(({ status, blocks }) => status === 'skipped' && blocks),
    canceled: tasks.filter(({ status }) => status === 'canceled'),
  }
}

function toRoot(step: FallenStep): Root {
  const { status, reason } = step
  return {
    step: step.step,
    task: undefined,
    status: status === 'timed_out' || status === 'warning' ? status : 'failure',
    reason,
    cause: causeOfStep(step),
    attempt: undefined,
  }
}
