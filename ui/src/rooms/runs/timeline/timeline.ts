import type { Run, RunStep, RunTask } from '../run.ts'
import { criticalPathOf, keyOf } from './critical-path.ts'
import { type Span, type TimeScale, timeScaleOf } from './time-scale.ts'

/** A stretch of a task's time. */
export interface Bar extends Span {
  readonly kind: 'queued' | 'running' | 'approval'
  readonly attempt: number
  readonly status: string
}

export interface TimelineRow {
  /** Empty for the run itself. */
  readonly step: string
  /** Absent for the row of a step. */
  readonly task?: string
  readonly label: string
  readonly status: string
  readonly isCritical: boolean
  readonly bars: readonly Bar[]
}

export interface Timeline {
  readonly rows: readonly TimelineRow[]
  readonly scale: TimeScale
}

/** What was when: the run's time in the queue, then each step with its tasks, in the order of the document. */
export function timelineOf(run: Run, now: number): Timeline {
  const from = Date.parse(run.queued_at)
  const to = Math.max(from + 1000, endOf(run.finished_at, now))
  const critical = criticalPathOf(run.steps, now)
  const rows = [queueRow(run, now), ...run.steps.flatMap((step) => rowsOf(run, step, { critical, now }))]
  const busy = rows.flatMap(({ bars }) => bars.filter(({ kind }) => kind === 'running'))
  return { rows, scale: timeScaleOf({ from, to }, busy) }
}

function queueRow(run: Run, now: number): TimelineRow {
  const span = { from: Date.parse(run.queued_at), to: endOf(run.started_at ?? run.finished_at, now) }
  return {
    step: '',
    label: 'Queue',
    status: run.started_at === null ? run.status : 'success',
    isCritical: false,
    bars: [{ ...span, kind: 'queued', attempt: 0, status: 'queued' }],
  }
}

interface Seen {
  readonly critical: ReadonlySet<string>
  readonly now: number
}

function rowsOf(run: Run, step: RunStep, { critical, now }: Seen): readonly TimelineRow[] {
  const head: TimelineRow = { step: step.name, label: step.name, status: step.status, isCritical: false, bars: [] }
  const tasks = step.tasks.map(
    (task): TimelineRow => ({
      step: step.name,
      task: task.name,
      label: task.name,
      status: task.status,
      isCritical: critical.has(keyOf(step.name, task.name)),
      bars: barsOf(run, step, { task, now }),
    }),
  )
  return [head, ...tasks]
}

function barsOf(
  run: Run,
  step: RunStep,
  { task, now }: { readonly task: RunTask; readonly now: number },
): readonly Bar[] {
  switch (task.kind) {
    case 'approval':
      return approvalBars(run, step, now)
    default:
      return attemptBars(task, now)
  }
}

function attemptBars(task: RunTask, now: number): readonly Bar[] {
  return task.attempts.flatMap(({ attempt, status, leased_at, started_at, finished_at }): readonly Bar[] => {
    const leased = leased_at ?? started_at
    if (leased === null) return []
    const queued = { from: Date.parse(leased), to: endOf(started_at ?? finished_at, now) }
    const ran = started_at === null ? [] : [{ from: Date.parse(started_at), to: endOf(finished_at, now) }]
    return [
      ...(queued.to > queued.from ? [{ ...queued, kind: 'queued' as const, attempt, status: 'queued' }] : []),
      ...ran.map((span) => ({ ...span, kind: 'running' as const, attempt, status: shownStatus(status) })),
    ]
  })
}

/** An attempt that has a lease, or a run of its own, runs. */
function shownStatus(status: string): string {
  return status === 'leased' || status === 'child' ? 'running' : status
}

function approvalBars(run: Run, step: RunStep, now: number): readonly Bar[] {
  const request = run.approval_requests.find((each) => each.step === step.name)
  if (!request) return []
  const span = { from: Date.parse(request.requested_at), to: endOf(request.decided_at ?? run.finished_at, now) }
  return [{ ...span, kind: 'approval', attempt: 1, status: request.status }]
}

function endOf(instant: string | null, now: number): number {
  return instant === null ? now : Date.parse(instant)
}
