import type { RunComparison } from '@signalbox/contracts/runs'
import { toWireTime, toWireTimeOrNull } from '#platform/time'
import type { Compared, Comparison } from '../actions/compare-runs.ts'
import type { StepRow, TaskRow } from '../rules/stored-rows.ts'

export function presentComparison({ left, right, diff, runnerNames }: Comparison): RunComparison {
  return {
    left: presentCompared(left),
    right: presentCompared(right),
    document: { same: diff === null, diff },
    variables: differingVariables(left, right),
    steps: namesOf(left.steps, right.steps, (row) => row.step).map((step) => ({
      step,
      left: presentStep(left.steps.find((row) => row.step === step)),
      right: presentStep(right.steps.find((row) => row.step === step)),
    })),
    tasks: namesOf(left.tasks, right.tasks, (row) => `${row.step}/${row.task}`).map((path) => {
      const [step = '', task = ''] = path.split('/')
      const present = (side: Compared) => presentTask(side, step, task, runnerNames)
      return { step, task, left: present(left), right: present(right) }
    }),
  }
}

function presentCompared({ run }: Compared): RunComparison['left'] {
  return {
    run_id: run.id,
    pipeline: run.pipeline_identifier,
    pipeline_version: run.pipeline_version,
    status: run.status,
    reason: run.reason,
    cause: run.cause,
    rerun_of: run.rerun_of,
    scope: run.scope,
    branch: run.branch,
    commit_sha: run.commit_sha,
    queued_at: toWireTime(run.queued_at),
    started_at: toWireTimeOrNull(run.started_at),
    finished_at: toWireTimeOrNull(run.finished_at),
    waited_ms: between(run.queued_at, run.started_at),
    took_ms: between(run.started_at, run.finished_at),
  }
}

function differingVariables(left: Compared, right: Compared): RunComparison['variables'] {
  const [before, after] = [left.run.variables, right.run.variables]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .toSorted()
    .map((name) => ({ name, left: before[name] ?? null, right: after[name] ?? null }))
    .filter((one) => one.left !== one.right)
}

/** In the order of the left one, and behind it what only the right one has. */
function namesOf<Row>(left: readonly Row[], right: readonly Row[], nameOf: (row: Row) => string): string[] {
  return [...new Set([...left, ...right].map(nameOf))]
}

function presentStep(row: StepRow | undefined): RunComparison['steps'][number]['left'] {
  if (!row) return null
  return { status: row.status, reason: row.reason, took_ms: between(row.started_at, row.finished_at) }
}

function presentTask(
  { tasks, attempts }: Compared,
  step: string,
  task: string,
  runnerNames: ReadonlyMap<string, string>,
): RunComparison['tasks'][number]['left'] {
  const row: TaskRow | undefined = tasks.find((one) => one.step === step && one.task === task)
  if (!row) return null
  const runnerId = attempts.findLast((one) => one.step === step && one.task === task)?.runnerId ?? null
  return {
    status: row.status,
    reason: row.reason,
    took_ms: between(row.started_at, row.finished_at),
    attempts: row.attempt,
    exit_code: row.exit_code,
    runner_id: runnerId,
    runner: runnerId === null ? null : (runnerNames.get(runnerId) ?? null),
  }
}

function between(from: Date | null, to: Date | null): number | null {
  return from && to ? to.getTime() - from.getTime() : null
}
