import type { FailureExplanation, FailureRoot } from '@signalbox/contracts/logs'
import { explainLines } from '../rules/explain-lines.ts'
import { explainRoot } from '../rules/explain-root.ts'
import { explainRunEnd } from '../rules/explain-run-end.ts'
import type { FallenTask } from '../rules/failure-cause.ts'
import type { FailureAnswer, PlacedRoot } from './explain-failure.ts'

const MOST_NAMED = 10

export function presentFailure({ run, fall, roots, moreRoots, lacksLogs }: FailureAnswer): FailureExplanation {
  return {
    run_id: run.id,
    status: run.status,
    reason: run.reason,
    findings: explainRunEnd({ run }, fall),
    roots: roots.map(presentRoot),
    more_roots: moreRoots,
    never_ran: named(fall.neverRan),
    canceled: named(fall.canceled),
    left_out: lacksLogs ? ['log.read'] : [],
  }
}

function presentRoot({ run, root, through, childEnd, lines }: PlacedRoot): FailureRoot {
  const { attempt } = root
  const { step, task } = root
  const { findings, whatToDo } = explainRoot(run.id, root)
  const told = lines && task !== undefined ? explainLines({ runId: run.id, step, task }, lines) : []
  return {
    run_id: run.id,
    through: [...through],
    step,
    task: task ?? null,
    attempt: attempt?.number ?? null,
    attempt_id: attempt?.id ?? null,
    status: root.status,
    cause: root.cause,
    exit_code: attempt?.exitCode ?? null,
    reason: attempt?.reason ?? root.reason,
    child_run_id: attempt?.childRunId ?? null,
    findings: [...findings, ...told, ...childEnd],
    what_to_do: [...whatToDo],
    lines: lines ?? null,
  }
}

function named(tasks: readonly FallenTask[]): FailureExplanation['never_ran'] {
  return { count: tasks.length, first: tasks.slice(0, MOST_NAMED).map(({ step, task }) => ({ step, task })) }
}
