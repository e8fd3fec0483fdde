import { type AttemptVerdict, attemptVerdict } from './attempts.ts'
import type { Conditions } from './conditions.ts'
import type { Draft } from './draft.ts'
import type { GraphIndex, StepIndex, TaskIndex } from './graph-index.ts'
import { reduceRun, reduceStep } from './reduction.ts'
import { type Ending, isTerminalRun, isTerminalStep, isTerminalTask, type StepState, type TaskState } from './state.ts'
import type { RunEvent, TaskFinished } from './transition.ts'

/** Where a task lies in the graph. */
interface TaskPlace {
  readonly stepAt: number
  readonly taskAt: number
  readonly step: StepIndex
  readonly task: TaskIndex
}

/** The walk through the graph: what each event makes complete, and what that lets start. Works on a draft. */
export class Progress {
  readonly #index: GraphIndex
  readonly #draft: Draft
  readonly #conditions: Conditions
  /** Steps and tasks whose last dependency is complete. A list, not recursion: a chain may be 2,000 long. */
  readonly #free: (() => void)[] = []

  constructor(index: GraphIndex, draft: Draft, conditions: Conditions) {
    this.#index = index
    this.#draft = draft
    this.#conditions = conditions
  }

  begin(): void {
    for (const [stepAt, step] of this.#index.steps.entries()) {
      if (step.dependsOn.length === 0) this.#free.push(() => this.#releaseStep(stepAt, step))
    }
    this.#settle()
  }

  apply(event: RunEvent): void {
    switch (event.type) {
      case 'task_started':
        this.#start(event)
        break
      case 'task_finished':
        this.#finish(event)
        break
      case 'retry_due':
        this.#retry(event)
        break
      case 'cancel_requested':
        this.#end({ status: 'canceled', reason: event.reason })
        break
      case 'run_timed_out':
        this.#end({ status: 'timed_out', reason: 'the time limit of the run is over' })
        break
      case 'step_timed_out':
        this.#timeOutStep(event.step)
        break
      default:
        event satisfies never
    }
    this.#settle()
  }

  #settle(): void {
    // Grows while it is walked.
    for (const release of this.#free) release()
    this.#free.length = 0
    if (this.#draft.run.open > 0 || isTerminalRun(this.#draft.run.status)) return
    const { ending } = this.#draft.run
    const status = reduceRun(
      ending,
      this.#index.steps.map((_, at) => this.#draft.step(at)),
    )
    this.#draft.setRun({ status, reason: ending?.reason ?? null })
    this.#draft.effects.push({ type: 'finish_run', status })
  }

  // What runners report.

  #start(event: { step: string; task: string; attempt: number }): void {
    const place = this.#find(event)
    if (place === undefined) return
    const task = this.#taskState(place)
    if (task.status !== 'ready' || task.attempt !== event.attempt) return
    this.#draft.setTask(place.stepAt, place.taskAt, { status: 'running', reason: null })
    if (this.#draft.run.status === 'queued') this.#draft.setRun({ status: 'running' })
    if (this.#draft.step(place.stepAt).status !== 'ready') return
    this.#draft.setStep(place.stepAt, { status: 'running' })
    const { name, timeoutMs } = place.step.step
    if (timeoutMs !== null) this.#draft.effects.push({ type: 'start_step_timer', step: name, afterMs: timeoutMs })
  }

  #finish(event: TaskFinished): void {
    const place = this.#find(event)
    if (place === undefined) return
    const task = this.#taskState(place)
    if ((task.status !== 'ready' && task.status !== 'running') || task.attempt !== event.attempt) return
    const { ending } = this.#draft.run
    const { timedOut } = this.#draft.step(place.stepAt)
    const interrupted = ending ?? (timedOut === null ? null : { status: 'timed_out' as const, reason: timedOut })
    const verdict = attemptVerdict(place.task.task, event, interrupted, place.step.step.ignoreFailure)
    switch (verdict.type) {
      case 'complete':
        this.#completeTask(place, verdict.fields)
        break
      case 'again':
        this.#tryAgain(place, verdict)
        break
      default:
        verdict satisfies never
    }
  }

  #tryAgain(place: TaskPlace, verdict: Extract<AttemptVerdict, { type: 'again' }>): void {
    const { reason, exitCode, delayMs } = verdict
    this.#draft.setTask(place.stepAt, place.taskAt, { status: 'pending', reason, exitCode })
    if (delayMs === 0) {
      this.#startAttempt(place)
      return
    }
    const attempt = this.#taskState(place).attempt + 1
    this.#draft.effects.push({ type: 'schedule_retry', ...keyOf(place), attempt, delayMs })
  }

  #retry(event: { step: string; task: string; attempt: number }): void {
    const place = this.#find(event)
    if (place === undefined) return
    const task = this.#taskState(place)
    // A pending task with attempts behind it waits for exactly this.
    if (task.status !== 'pending' || task.attempt === 0 || event.attempt !== task.attempt + 1) return
    this.#startAttempt(place)
  }

  #startAttempt(place: TaskPlace): void {
    const attempt = this.#taskState(place).attempt + 1
    this.#draft.setTask(place.stepAt, place.taskAt, { status: 'ready', attempt })
    this.#draft.effects.push({ type: 'start_attempt', ...keyOf(place), attempt })
  }

  // Endings before time.

  #end(ending: Ending): void {
    if (this.#draft.run.ending !== null) return
    this.#draft.setRun({ ending })
    for (const stepAt of this.#index.steps.keys()) this.#interruptStep(stepAt, ending.reason)
  }

  #timeOutStep(name: string): void {
    const stepAt = this.#index.stepAt.get(name)
    if (stepAt === undefined || this.#draft.run.ending !== null) return
    const step = this.#draft.step(stepAt)
    if (step.status !== 'running' || step.timedOut !== null) return
    const reason = `the time limit of step ${name} is over`
    this.#draft.setStep(stepAt, { timedOut: reason })
    this.#interruptStep(stepAt, reason)
  }

  /** Ends what has not begun, and asks for the end of what runs; the run goes on once that is reported. */
  #interruptStep(stepAt: number, reason: string): void {
    const step = this.#index.steps[stepAt]
    if (step === undefined || isTerminalStep(this.#draft.step(stepAt).status)) return
    for (const [taskAt, task] of step.tasks.entries()) {
      const place = { stepAt, taskAt, step, task }
      const state = this.#taskState(place)
      if (isTerminalTask(state.status)) continue
      // A ready attempt may already be on its way to a runner: it too has to be withdrawn.
      if (state.status !== 'pending') {
        this.#draft.effects.push({ type: 'cancel_attempt', ...keyOf(place), attempt: state.attempt, reason })
      }
      if (state.status !== 'running') this.#completeTask(place, { status: 'canceled', reason, blocks: true })
    }
  }

  // Completion, and what it lets start.

  #completeTask(place: TaskPlace, fields: Partial<Omit<TaskState, 'name'>>): void {
    const { stepAt, taskAt, step } = place
    this.#draft.setTask(stepAt, taskAt, fields)
    const open = this.#draft.step(stepAt).open - 1
    this.#draft.setStep(stepAt, { open })
    for (const at of place.task.dependents) {
      const task = step.tasks[at]
      if (task === undefined) continue
      const waitsFor = this.#draft.task(stepAt, at).waitsFor - 1
      this.#draft.setTask(stepAt, at, { waitsFor })
      if (waitsFor === 0) this.#free.push(() => this.#releaseTask({ stepAt, taskAt: at, step, task }))
    }
    if (open === 0) this.#free.push(() => this.#completeStep(stepAt, step))
  }

  #completeStep(stepAt: number, step: StepIndex): void {
    const state = this.#draft.step(stepAt)
    const fields = isTerminalStep(state.status)
      ? {}
      : reduceStep(step.step, state, this.#tasksOf(stepAt, step), this.#draft.run.ending)
    this.#draft.setStep(stepAt, fields)
    this.#draft.setRun({ open: this.#draft.run.open - 1 })
    for (const at of step.dependents) {
      const dependent = this.#index.steps[at]
      if (dependent === undefined) continue
      const waitsFor = this.#draft.step(at).waitsFor - 1
      this.#draft.setStep(at, { waitsFor })
      if (waitsFor === 0) this.#free.push(() => this.#releaseStep(at, dependent))
    }
  }

  #releaseStep(stepAt: number, step: StepIndex): void {
    if (this.#draft.step(stepAt).status !== 'pending') return
    const failed = step.dependsOn.find((at) => this.#draft.step(at).blocks)
    if (failed !== undefined) {
      this.#skipStep(stepAt, step, blockReason('step', this.#draft.step(failed)), true)
      return
    }
    const unmet = this.#conditions.unmet(step.step.condition, step, this.#draft)
    if (unmet !== null) {
      this.#skipStep(stepAt, step, unmet, false)
      return
    }
    this.#draft.setStep(stepAt, { status: 'ready' })
    for (const [taskAt, task] of step.tasks.entries()) {
      if (task.dependsOn.length === 0) this.#free.push(() => this.#releaseTask({ stepAt, taskAt, step, task }))
    }
  }

  #skipStep(stepAt: number, step: StepIndex, reason: string, blocks: boolean): void {
    this.#draft.setStep(stepAt, { status: 'skipped', reason, blocks })
    for (const [taskAt, task] of step.tasks.entries()) {
      this.#completeTask({ stepAt, taskAt, step, task }, { status: 'skipped', reason, blocks })
    }
  }

  #releaseTask(place: TaskPlace): void {
    const { stepAt, step, task } = place
    const state = this.#taskState(place)
    if (state.status !== 'pending' || state.attempt > 0) return
    const failed = task.dependsOn.find((at) => this.#draft.task(stepAt, at).blocks)
    if (failed !== undefined) {
      const reason = blockReason('task', this.#draft.task(stepAt, failed))
      this.#completeTask(place, { status: 'skipped', reason, blocks: true })
      return
    }
    const unmet = this.#conditions.unmet(task.task.condition, step, this.#draft)
    if (unmet !== null) this.#completeTask(place, { status: 'skipped', reason: unmet })
    else this.#startAttempt(place)
  }

  // Finding.

  #find(event: { readonly step: string; readonly task: string }): TaskPlace | undefined {
    const stepAt = this.#index.stepAt.get(event.step)
    const step = stepAt === undefined ? undefined : this.#index.steps[stepAt]
    const taskAt = step?.taskAt.get(event.task)
    const task = taskAt === undefined ? undefined : step?.tasks[taskAt]
    if (stepAt === undefined || step === undefined || taskAt === undefined || task === undefined) return undefined
    return { stepAt, taskAt, step, task }
  }

  #taskState(place: TaskPlace): TaskState {
    return this.#draft.task(place.stepAt, place.taskAt)
  }

  #tasksOf(stepAt: number, step: StepIndex): TaskState[] {
    return step.tasks.map((_, at) => this.#draft.task(stepAt, at))
  }
}

function keyOf(place: TaskPlace): { step: string; task: string } {
  return { step: place.step.step.name, task: place.task.task.name }
}

function blockReason(kind: 'step' | 'task', blocker: StepState | TaskState): string {
  switch (blocker.status) {
    case 'timed_out':
      return `skipped: ${kind} ${blocker.name} timed out`
    case 'canceled':
      return `skipped: ${kind} ${blocker.name} was canceled`
    case 'skipped':
      return `skipped: ${kind} ${blocker.name} was skipped`
    default:
      return `skipped: ${kind} ${blocker.name} failed`
  }
}
