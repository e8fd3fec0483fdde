import type { LogEntry } from '@signalbox/contracts/logs'
import type { RunDetail, RunTask } from '@signalbox/contracts/runs'
import { isFinished, isOver } from './statuses.ts'

/** Something to tell the person who follows a run, in the order in which it is to be told. */
export type Remark =
  | { readonly kind: 'run'; readonly run: RunDetail }
  | { readonly kind: 'step'; readonly step: string; readonly status: string; readonly reason: string | null }
  | { readonly kind: 'task_started'; readonly step: string; readonly task: string; readonly attempt: number }
  | { readonly kind: 'line'; readonly entry: LogEntry }
  | { readonly kind: 'task_ended'; readonly step: string; readonly task: RunTask }

/** Lines that were stored before a task ended and that the stream has not brought yet. */
export interface Missing {
  readonly step: string
  readonly task: string
  readonly attempt: number
  /** The first line that was not told. */
  readonly from: number
}

/**
 * Puts two sources in order: the state of a run, asked for whenever something happened, and its log lines, which come
 * by another way. A task's start is told before its lines, and its end after all of them; nothing is told twice. Pure:
 * the narrator only decides what to tell.
 */
export class Narrator {
  readonly #told = new Map<string, string>()
  readonly #started = new Set<string>()
  readonly #next = new Map<string, number>()

  /** Takes a line of the log; a line that was told already gives no remark. */
  hear(entry: LogEntry): Remark[] {
    const key = keyOf(entry.step, entry.task, entry.attempt)
    if (entry.number < (this.#next.get(key) ?? 0)) return []
    // A mark stands for all lines that are missing; behind one of an unknown number comes nothing.
    this.#next.set(key, entry.number + (entry.gap?.lines ?? 1))
    return [...this.#start(entry.step, entry.task, entry.attempt), { kind: 'line', entry }]
  }

  /** The lines that must be fetched before the state of the run may be told. */
  missing(run: RunDetail): Missing[] {
    return run.steps.flatMap((step) =>
      step.tasks
        .filter(
          (task) =>
            task.attempt > 0 && isOver(task.status) && this.#told.get(keyOf(step.name, task.name)) !== task.status,
        )
        .map((task) => ({
          step: step.name,
          task: task.name,
          attempt: task.attempt,
          from: this.#next.get(keyOf(step.name, task.name, task.attempt)) ?? 0,
        })),
    )
  }

  /** The state of the run, once the missing lines were heard. */
  see(run: RunDetail): Remark[] {
    const remarks: Remark[] = []
    const changed = (key: string, status: string): boolean => {
      if (this.#told.get(key) === status) return false
      this.#told.set(key, status)
      return true
    }
    if (!isFinished(run.status) && changed('', run.status)) remarks.push({ kind: 'run', run })
    else if (run.queue_reason !== null && changed(keyOf('', 'waits'), run.queue_reason))
      remarks.push({ kind: 'run', run })
    for (const step of run.steps) {
      const shown = isOver(step.status) || step.status === 'running' || step.status === 'paused'
      const stepRemark: Remark = { kind: 'step', step: step.name, status: step.status, reason: step.reason }
      const told = shown && changed(keyOf(step.name), step.status)
      if (told && !isOver(step.status)) remarks.push(stepRemark)
      for (const task of step.tasks) {
        if (task.attempt > 0 && task.status !== 'ready')
          remarks.push(...this.#start(step.name, task.name, task.attempt))
        const skippedWithItsStep = step.status === 'skipped' && task.attempt === 0
        if (!skippedWithItsStep && isOver(task.status) && changed(keyOf(step.name, task.name), task.status)) {
          remarks.push({ kind: 'task_ended', step: step.name, task })
        }
      }
      if (told && isOver(step.status)) remarks.push(stepRemark)
    }
    if (isFinished(run.status) && changed('', run.status)) remarks.push({ kind: 'run', run })
    return remarks
  }

  #start(step: string, task: string, attempt: number): Remark[] {
    const key = keyOf(step, task, attempt)
    if (this.#started.has(key)) return []
    this.#started.add(key)
    const started: Remark = { kind: 'task_started', step, task, attempt }
    // The line came before the news that its step has begun.
    if (this.#told.has(keyOf(step))) return [started]
    this.#told.set(keyOf(step), 'running')
    return [{ kind: 'step', step, status: 'running', reason: null }, started]
  }
}

function keyOf(...parts: readonly (string | number)[]): string {
  return parts.join('\n')
}
