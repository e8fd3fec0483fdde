import { isTerminalRun, isTerminalStep, isTerminalTask, type RunState } from '@signalbox/pipeline/status'
import type { Agenda } from './agenda.ts'
import type { Execution } from './execution.ts'
import type { Result } from './network.ts'
import type { Store, StoredAttempt, StoredRun, Witness } from './store.ts'

/** Something happened that must not. */
export class Violation extends Error {
  override readonly name = 'Violation'
}

const nextOfAttempt: Readonly<Record<string, readonly string[]>> = {
  waiting: ['leased', 'canceled'],
  leased: ['success', 'failure', 'timed_out', 'canceled', 'lost'],
}

/** Looks at everything that becomes durable, and at what runners do and hear. */
export class Checks implements Witness {
  readonly #agenda: Agenda
  /** More than one where a runner that never heard of it got it again. */
  readonly #executions = new Map<number, Execution[]>()
  /** Terminal results that were accepted, by attempt. */
  readonly #results = new Map<string, string>()
  readonly #acknowledged = new Map<string, readonly string[]>()

  constructor(agenda: Agenda) {
    this.#agenda = agenda
  }

  get executionCount(): number {
    return this.#executions.size
  }

  runMoved(before: StoredRun, after: RunState): void {
    const { state } = before
    if (state === undefined) return
    this.#require(!isTerminalRun(state.status), `run ${before.id} is ${state.status} and moves again`)
    if (state.ending !== null) {
      const same = JSON.stringify(state.ending) === JSON.stringify(after.ending)
      this.#require(same, `run ${before.id} has another ending`)
    }
    for (const [at, step] of state.steps.entries()) {
      const stepAfter = after.steps[at]
      const stays = !isTerminalStep(step.status) || stepAfter?.status === step.status
      this.#require(stays, `step ${before.id}/${step.name} was ${step.status} and is ${stepAfter?.status}`)
      for (const [taskAt, task] of step.tasks.entries()) {
        const taskAfter = stepAfter?.tasks[taskAt]
        const name = `${before.id}/${step.name}/${task.name}`
        const same = taskAfter?.status === task.status && taskAfter.attempt === task.attempt
        this.#require(
          !isTerminalTask(task.status) || same,
          `task ${name} was ${task.status} and is ${taskAfter?.status}`,
        )
        this.#require((taskAfter?.attempt ?? 0) >= task.attempt, `task ${name} went back to an earlier attempt`)
      }
    }
  }

  attemptMade(attempt: StoredAttempt, attempts: Iterable<StoredAttempt>): void {
    const again = attempt.runnerId !== null && attempt.handedBack?.by === attempt.runnerId
    this.#require(!again, `attempt ${describe(attempt)} goes at once to the runner that handed it back`)
    for (const other of attempts) {
      if (other === attempt || other.runId !== attempt.runId) continue
      if (other.step !== attempt.step || other.task !== attempt.task) continue
      this.#require(other.number !== attempt.number, `attempt ${describe(attempt)} was made twice`)
      const over = other.status !== 'waiting' && other.status !== 'leased'
      this.#require(
        other.number > attempt.number || over,
        `${describe(attempt)} was made while ${other.number} is ${other.status}`,
      )
    }
  }

  attemptMoved(attempt: StoredAttempt, to: StoredAttempt['status']): void {
    const legal = nextOfAttempt[attempt.status]?.includes(to) ?? false
    this.#require(legal, `attempt ${describe(attempt)} went from ${attempt.status} to ${to}`)
    if (to === 'leased') return
    this.#require(!this.#results.has(attempt.id), `attempt ${describe(attempt)} has a second result`)
    this.#results.set(attempt.id, to)
    if (to === 'lost' || attempt.status === 'waiting') return
    const executions = this.#executions.get(attempt.fence ?? 0) ?? []
    const ended = executions.some(({ result }) => result === to)
    this.#require(ended, `nobody ended ${describe(attempt)} with ${to}`)
  }

  /** A process begins: no other may be at the same task, on a runner that could have ended it. */
  began(execution: Execution): void {
    const { assignment, runner } = execution
    for (const other of this.#executions.values().flatMap((executions) => executions)) {
      const { assignment: theirs } = other
      if (
        !other.running ||
        other.wasFrozen ||
        execution.wasFrozen ||
        other.runner === runner ||
        !theirs.stopWhenLeaseEnds
      )
        continue
      const same =
        theirs.runId === assignment.runId && theirs.step === assignment.step && theirs.task === assignment.task
      this.#require(
        !same,
        `${describe(assignment)} begins on ${runner.id} while ${theirs.number} runs on ${other.runner.id}`,
      )
    }
  }

  assigned(execution: Execution, atWork: number, capacity: number): void {
    const { fence } = execution.assignment
    this.#executions.set(fence, [...(this.#executions.get(fence) ?? []), execution])
    const runner = execution.runner.id
    this.#require(atWork <= capacity, `runner ${runner} is at ${atWork} attempts and has room for ${capacity}`)
  }

  /** The runner forgets an acknowledged result: either that result counts, or no result of the attempt does. */
  acknowledged(execution: Execution, result: Result): void {
    const { attemptId } = execution.assignment
    const counted = this.#results.get(attemptId)
    const known = counted === result || counted === 'lost'
    this.#require(
      known,
      `the result ${result} of ${describe(execution.assignment)} is forgotten; what counts is ${counted}`,
    )
  }

  /** The runner forgets acknowledged lines: the lines must be stored as they were written. */
  linesAcknowledged(execution: Execution, nextLine: number): void {
    const { attemptId } = execution.assignment
    const earlier = this.#acknowledged.get(attemptId) ?? []
    if (nextLine > earlier.length) this.#acknowledged.set(attemptId, execution.lines.slice(0, nextLine))
    this.#require(
      nextLine <= execution.lines.length,
      `${describe(execution.assignment)}: lines are acknowledged that it has not written`,
    )
    this.#stored ??= undefined
    const stored = this.#stored?.lines.get(attemptId) ?? []
    for (let line = 0; line < nextLine; line++) {
      this.#require(
        stored[line] === execution.lines[line],
        `line ${line} of ${describe(execution.assignment)} is acknowledged and not stored`,
      )
    }
  }

  #stored: Store | undefined

  watch(store: Store): void {
    this.#stored = store
  }

  /** All faults are over, and there was time enough. */
  atTheEnd(store: Store): void {
    for (const run of store.runs.values()) {
      const ended = run.state === undefined ? run.cancelRequested : isTerminalRun(run.state.status)
      this.#require(ended, `run ${run.id} has not ended: ${JSON.stringify(run.state ?? 'queued')}`)
    }
    for (const attempt of store.attempts.values()) {
      const open = attempt.status === 'waiting' || attempt.status === 'leased'
      this.#require(!open, `attempt ${describe(attempt)} is still ${attempt.status}`)
    }
    for (const [attemptId, lines] of this.#acknowledged) {
      const stored = store.lines.get(attemptId) ?? []
      this.#require(
        lines.every((line, at) => stored[at] === line),
        `acknowledged lines of attempt ${attemptId} are gone`,
      )
    }
  }

  #require(holds: boolean, sentence: string): void {
    if (!holds) throw new Violation(`${sentence} (at ${Math.round(this.#agenda.now)} ms)`)
  }
}

function describe(key: { runId: string; step: string; task: string; number: number }): string {
  return `${key.runId}/${key.step}/${key.task}/${key.number}`
}
