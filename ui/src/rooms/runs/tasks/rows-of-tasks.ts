import type { Run, RunStep, RunTask } from '../run.ts'
import type { RunSelection } from '../run-address.ts'

type Attempt = RunTask['attempts'][number]

/** A row of the table: a step, one of its tasks, or one of several attempts of a task. */
export interface TaskRow {
  readonly place: RunSelection
  readonly name: string
  readonly level: 1 | 2 | 3
  readonly status: string
  readonly reason: string | null
  readonly startedAt: string | null
  readonly finishedAt: string | null
  readonly retryAt: string | null
  readonly exitCode: number | null
  readonly runnerId: string | null
  readonly childRunId: string | null
  readonly images: readonly Attempt['images'][number][]
}

const NOTHING = { retryAt: null, exitCode: null, runnerId: null, childRunId: null, images: [] } as const

/** Steps, their tasks, and under a task its attempts where there are several. */
export function rowsOfTasks({ steps }: Pick<Run, 'steps'>): readonly TaskRow[] {
  return steps.flatMap((step) => [stepRow(step), ...step.tasks.flatMap((task) => taskRows(step.name, task))])
}

/** Every attempt of a run, in the order in which they began. */
export function rowsOfAttempts({ steps }: Pick<Run, 'steps'>): readonly TaskRow[] {
  return steps
    .flatMap(({ name, tasks }) => tasks.flatMap((task) => task.attempts.map((each) => attemptRow(name, task, each))))
    .toSorted((a, b) => (a.startedAt ?? '~').localeCompare(b.startedAt ?? '~'))
}

export function keyOfPlace({ step, task, attempt }: RunSelection): string {
  return [step, task, attempt].filter((part) => part !== undefined).join('/')
}

/** The row that stands for a selection: of a single attempt its task. */
export function selectedKey(rows: readonly TaskRow[], selection: RunSelection | undefined): string | undefined {
  if (!selection) return undefined
  const key = keyOfPlace(selection)
  if (rows.some(({ place }) => keyOfPlace(place) === key)) return key
  const { step, task } = selection
  return task === undefined ? undefined : keyOfPlace({ step, task })
}

/** The row of a selection, which may be one attempt. */
export function rowOfPlace({ steps }: Pick<Run, 'steps'>, { step, task, attempt }: RunSelection): TaskRow | undefined {
  const found = steps.find(({ name }) => name === step)
  if (!found || task === undefined) return found && stepRow(found)
  const one = found.tasks.find(({ name }) => name === task)
  const tried = one?.attempts.find((each) => each.attempt === attempt)
  if (one && tried) return attemptRow(step, one, tried)
  return one && taskRows(step, one)[0]
}

function stepRow(step: RunStep): TaskRow {
  return {
    ...NOTHING,
    place: { step: step.name },
    name: step.name,
    level: 1,
    status: step.status,
    reason: step.reason,
    startedAt: step.started_at,
    finishedAt: step.started_at === null ? null : step.finished_at,
  }
}

function taskRows(step: string, task: RunTask): readonly TaskRow[] {
  const last = task.attempts.at(-1)
  const row: TaskRow = {
    place: { step, task: task.name },
    name: task.name,
    level: 2,
    status: task.status,
    reason: task.reason ?? task.waiting_reason,
    startedAt: task.started_at,
    finishedAt: task.started_at === null ? null : task.finished_at,
    retryAt: task.retry_at,
    exitCode: task.exit_code,
    runnerId: last?.runner_id ?? null,
    childRunId: last?.child_run_id ?? null,
    images: last?.images ?? [],
  }
  const attempts = task.attempts.length > 1 ? task.attempts.map((each) => attemptRow(step, task, each)) : []
  return [row, ...attempts.map((each) => ({ ...each, name: `attempt ${each.place.attempt}` }))]
}

function attemptRow(step: string, task: RunTask, attempt: Attempt): TaskRow {
  return {
    ...NOTHING,
    place: { step, task: task.name, attempt: attempt.attempt },
    name: `${step}/${task.name}`,
    level: 3,
    status: attempt.status,
    reason: attempt.reason,
    startedAt: attempt.started_at,
    finishedAt: attempt.finished_at,
    exitCode: attempt.exit_code,
    runnerId: attempt.runner_id,
    childRunId: attempt.child_run_id,
    images: attempt.images,
  }
}
