import { failedFields, reusedOutputs } from './attempts.ts'
import type { Conditions } from './conditions.ts'
import type { Draft } from './draft.ts'
import type { GraphIndex, StepIndex, TaskIndex } from './graph-index.ts'
import { blockReason, findHindrance } from './hindrance.ts'
import { keyOf, type TaskPlace } from './place.ts'
import { reduceRun, reduceStep } from './reduction.ts'
import { type Ending, isTerminalRun, isTerminalStep, isTerminalTask, type TaskState } from './state.ts'
import type { Reuse, RunContext } from './transition.ts'

/** The walk through the graph: completes steps and starts the next ones. Works on a draft. */
export class Walk {
  readonly #index: GraphIndex
  readonly #draft: Draft
  readonly #conditions: Conditions
  readonly #guard: RunContext['guard']
  /** Steps and tasks whose last dependency is complete. A list, not recursion: a chain may be 2,000 long. */
  readonly #free: (() => void)[] = []

  constructor(index: GraphIndex, draft: Draft, conditions: Conditions, guard: RunContext['guard']) {
    this.#index = index
    this.#draft = draft
    this.#conditions = conditions
    this.#guard = guard
  }

  /** Takes over what an earlier run did, then lets everything start that waits for nothing. */
  begin(reuse: Reuse | undefined): void {
    for (const [stepAt, step] of this.#index.steps.entries()) {
      if (reuse !== undefined && reuse.size > 0) this.#takeOver(stepAt, step, reuse)
      if (step.dependsOn.length === 0) this.#free.push(() => this.#releaseStep(stepAt, step))
    }
  }

  /** Walks until nothing more can happen by itself, and says where the run stands then. */
  settle(): void {
    // Grows while it is walked.
    for (const release of this.#free) release()
    this.#free.length = 0
    const { status, open, active, waiting, ending } = this.#draft.run
    if (isTerminalRun(status)) return
    if (open > 0) {
      const paused = waiting > 0 && active === 0
      if (paused !== (status === 'paused')) this.#draft.setRun({ status: paused ? 'paused' : 'running' })
      return
    }
    const final = reduceRun(
      ending,
      this.#index.steps.map((_, at) => this.#draft.step(at)),
    )
    this.#draft.setRun({ status: final, reason: ending?.reason ?? null })
    this.#draft.effects.push({ type: 'finish_run', status: final })
  }

  startAttempt(place: TaskPlace): void {
    const attempt = this.taskState(place).attempt + 1
    const { lostAttempts } = this.#draft.run
    this.#draft.setTask(place.stepAt, place.taskAt, { status: 'ready', attempt, lossesBefore: lostAttempts })
    this.#draft.effects.push({ type: 'start_attempt', ...keyOf(place), attempt })
  }

  taskState(place: TaskPlace): TaskState {
    return this.#draft.task(place.stepAt, place.taskAt)
  }

  // Endings before time.

  /** The first ending decides. */
  end(ending: Ending): void {
    if (this.#draft.run.ending !== null) return
    this.#draft.setRun({ ending })
    for (const stepAt of this.#index.steps.keys()) this.interruptStep(stepAt, ending.reason)
  }

  /** Ends tasks that have not begun, and asks for the end of running ones; the run goes on once that is reported. */
  interruptStep(stepAt: number, reason: string): void {
    const step = this.#index.steps[stepAt]
    if (step === undefined || isTerminalStep(this.#draft.step(stepAt).status)) return
    for (const [taskAt, task] of step.tasks.entries()) {
      const place = { stepAt, taskAt, step, task }
      const { status, attempt } = this.taskState(place)
      if (isTerminalTask(status)) continue
      // A ready attempt may already be on its way to a runner: it too has to be withdrawn.
      if (status === 'ready' || status === 'running') {
        this.#draft.effects.push({ type: 'cancel_attempt', ...keyOf(place), attempt, reason })
      }
      if (status !== 'running') this.completeTask(place, { status: 'canceled', reason, blocks: true })
    }
  }

  // Completion, and the starts that it allows.

  completeTask(place: TaskPlace, fields: Partial<Omit<TaskState, 'name'>>): void {
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
    const before = this.#draft.step(stepAt)
    if (!isTerminalStep(before.status)) {
      const tasks = step.tasks.map((_, at) => this.#draft.task(stepAt, at))
      this.#draft.setStep(stepAt, reduceStep(step.step, before, tasks, this.#draft.run.ending))
    }
    this.#draft.setRun({ open: this.#draft.run.open - 1 })
    const { status, afterFailure } = this.#draft.step(stepAt)
    if (status === 'failure' || status === 'timed_out' || afterFailure) this.#noteFailure(step.dependents)
    for (const at of step.dependents) {
      const dependent = this.#index.steps[at]
      if (dependent === undefined) continue
      const waitsFor = this.#draft.step(at).waitsFor - 1
      this.#draft.setStep(at, { waitsFor })
      if (waitsFor === 0) this.#free.push(() => this.#releaseStep(at, dependent))
    }
  }

  /** Each step is noted once, so that all of it costs no more than the graph has edges. */
  #noteFailure(steps: readonly number[]): void {
    const noted = [...steps]
    for (const at of noted) {
      const { status, afterFailure } = this.#draft.step(at)
      if (afterFailure) continue
      this.#draft.setStep(at, { afterFailure: true })
      // A step of reused tasks was complete before its dependencies.
      if (isTerminalStep(status)) for (const dependent of this.#index.steps[at]?.dependents ?? []) noted.push(dependent)
    }
  }

  #releaseStep(stepAt: number, step: StepIndex): void {
    const state = this.#draft.step(stepAt)
    // No task is open where all were reused, or where the run is being ended.
    if (state.status !== 'pending' || state.open === 0) return
    const blocker = step.dependsOn.map((at) => this.#draft.step(at)).find(({ blocks }) => blocks)
    const hindrance = findHindrance(step.step.when, state.afterFailure, blocker)
    if (hindrance !== null) {
      this.#skipStep(stepAt, step, hindrance.reason, hindrance.blocks)
      return
    }
    const unmet = this.#conditions.unmet(step, null, this.#draft)
    if (unmet !== null) {
      if (unmet.is === 'false') this.#skipStep(stepAt, step, unmet.reason, false)
      else this.#failStep(stepAt, step, unmet.reason)
      return
    }
    const violation = this.#judge(step, null)
    if (violation !== null) {
      this.#closeStep(stepAt, step, { status: 'failure', reason: violation, blocks: true }, 'canceled')
      this.end({ status: 'failure', reason: violation })
      return
    }
    this.#draft.setStep(stepAt, { status: 'ready' })
    for (const [taskAt, task] of step.tasks.entries()) {
      const place = { stepAt, taskAt, step, task }
      if (this.taskState(place).waitsFor === 0) this.#free.push(() => this.#releaseTask(place))
    }
  }

  #skipStep(stepAt: number, step: StepIndex, reason: string, blocks: boolean): void {
    this.#closeStep(stepAt, step, { status: 'skipped', reason, blocks }, 'skipped')
  }

  /** As the failure of a task in it: an ignored one lets later steps run. */
  #failStep(stepAt: number, step: StepIndex, reason: string): void {
    const ignored = step.step.ignoreFailure
    this.#closeStep(stepAt, step, { status: ignored ? 'warning' : 'failure', reason, blocks: !ignored }, 'skipped')
  }

  /** A step that ends before it begins; tasks that were reused stay as they are. */
  #closeStep(
    stepAt: number,
    step: StepIndex,
    fields: { status: 'skipped' | 'failure' | 'warning'; reason: string; blocks: boolean },
    status: 'skipped' | 'canceled',
  ): void {
    this.#draft.setStep(stepAt, fields)
    for (const [taskAt, task] of step.tasks.entries()) {
      const place = { stepAt, taskAt, step, task }
      if (isTerminalTask(this.taskState(place).status)) continue
      this.completeTask(place, { status, reason: fields.reason, blocks: fields.blocks })
    }
  }

  #releaseTask(place: TaskPlace): void {
    const { stepAt, taskAt, step, task } = place
    const state = this.taskState(place)
    // A reused task may free the ones after it before their step begins.
    if (state.status !== 'pending' || state.attempt > 0 || this.#draft.step(stepAt).status === 'pending') return
    const blocker = task.dependsOn.map((at) => this.#draft.task(stepAt, at)).find(({ blocks }) => blocks)
    if (blocker !== undefined) {
      this.completeTask(place, { status: 'skipped', reason: blockReason('task', blocker), blocks: true })
      return
    }
    const unmet = this.#conditions.unmet(step, task, this.#draft)
    if (unmet !== null) {
      const failed = () => failedFields(task.task, step.step.ignoreFailure)
      this.completeTask(place, { ...(unmet.is === 'false' ? { status: 'skipped' } : failed()), reason: unmet.reason })
      return
    }
    const violation = this.#judge(step, task)
    if (violation !== null) {
      this.completeTask(place, { status: 'failure', reason: violation, blocks: true })
      this.end({ status: 'failure', reason: violation })
      return
    }
    const kind = task.task.kind
    switch (kind) {
      case 'run':
      case 'pipeline':
        this.startAttempt(place)
        break
      case 'approval':
        this.#draft.setTask(stepAt, taskAt, { status: 'paused' })
        this.#draft.setStep(stepAt, { status: 'paused' })
        this.#draft.effects.push({ type: 'request_approval', ...keyOf(place) })
        break
      default:
        kind satisfies never
    }
  }

  /** Null where nothing forbids the start. */
  #judge(step: StepIndex, task: TaskIndex | null): string | null {
    const verdict = this.#guard?.({ step: step.step, task: task?.task ?? null })
    if (verdict === undefined) return null
    if (verdict.pins.length > 0) {
      const key = { step: step.step.name, task: task?.task.name ?? null }
      this.#draft.effects.push({ type: 'pin', ...key, revisions: verdict.pins })
    }
    return verdict.violation
  }

  #takeOver(stepAt: number, step: StepIndex, reuse: Reuse): void {
    for (const [taskAt, task] of step.tasks.entries()) {
      const place = { stepAt, taskAt, step, task }
      const { step: stepName, task: taskName } = keyOf(place)
      const reused = reuse.get(`${stepName}/${taskName}`)
      if (reused === undefined) continue
      const { exitCode, reason } = reused
      this.completeTask(place, {
        status: 'success',
        reason,
        exitCode,
        outputs: reusedOutputs(task.task, reused.outputs),
      })
    }
  }
}
