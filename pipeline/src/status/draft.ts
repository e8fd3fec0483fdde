import { isActiveTask, type RunState, type StepState, type TaskState } from './state.ts'
import type { Effect, Transition } from './transition.ts'

type Own<State> = { -readonly [Key in keyof State]: State[Key] }
type StepFields = Omit<StepState, 'tasks' | 'name'>
type TaskFields = Omit<TaskState, 'name'>
type RunFields = Omit<RunState, 'steps' | 'format'>

/** A state under change: copies the parts that it touches once and shares the rest with the state it started from. */
export class Draft {
  readonly effects: Effect[] = []
  #state: RunState
  #steps: StepState[] | undefined
  readonly #tasks = new Map<number, TaskState[]>()
  #runChanged = false
  readonly #changedSteps = new Set<string>()
  readonly #changedTasks = new Set<string>()

  constructor(state: RunState) {
    this.#state = state
  }

  get run(): RunFields {
    return this.#state
  }

  step(at: number): StepState {
    const step = (this.#steps ?? this.#state.steps)[at]
    if (step === undefined) throw new RangeError(`the state has no step at ${at}: it belongs to another graph`)
    return step
  }

  task(stepAt: number, at: number): TaskState {
    const task = (this.#tasks.get(stepAt) ?? this.step(stepAt).tasks)[at]
    if (task === undefined)
      throw new RangeError(`the state has no task at ${stepAt}/${at}: it belongs to another graph`)
    return task
  }

  setRun(fields: Partial<RunFields>): void {
    if (isVisible(fields)) this.#runChanged = true
    this.#state = { ...this.#state, ...fields }
  }

  setStep(at: number, fields: Partial<StepFields>): void {
    const step: Own<StepState> = { ...this.step(at), ...fields }
    this.#ownSteps()[at] = step
    if (isVisible(fields)) this.#changedSteps.add(step.name)
  }

  setTask(stepAt: number, at: number, fields: Partial<TaskFields>): void {
    const before = this.task(stepAt, at)
    const task: Own<TaskState> = { ...before, ...fields }
    if (fields.status !== undefined && fields.status !== before.status) this.#count(before, task)
    let tasks = this.#tasks.get(stepAt)
    if (tasks === undefined) {
      tasks = this.step(stepAt).tasks.slice()
      this.#tasks.set(stepAt, tasks)
    }
    tasks[at] = task
    if (isVisible(fields)) this.#changedTasks.add(`${this.step(stepAt).name}/${task.name}`)
  }

  finish(): Transition {
    if (this.#tasks.size > 0) {
      const steps = this.#ownSteps()
      for (const [at, tasks] of this.#tasks) steps[at] = { ...this.step(at), tasks }
    }
    return {
      state: this.#steps === undefined ? this.#state : { ...this.#state, steps: this.#steps },
      effects: this.effects,
      changed: { run: this.#runChanged, steps: [...this.#changedSteps], tasks: [...this.#changedTasks] },
    }
  }

  #count(before: TaskState, after: TaskState): void {
    const active = this.#state.active + Number(isActiveTask(after)) - Number(isActiveTask(before))
    const waiting = this.#state.waiting + Number(after.status === 'paused') - Number(before.status === 'paused')
    this.#state = { ...this.#state, active, waiting }
  }

  #ownSteps(): StepState[] {
    this.#steps ??= this.#state.steps.slice()
    return this.#steps
  }
}

/** Counters change with every completion; a stored row per step or task needs to be written only for the rest. */
const DERIVED: ReadonlySet<string> = new Set(['waitsFor', 'open', 'afterFailure'])

function isVisible(fields: object): boolean {
  return Object.keys(fields).some((key) => !DERIVED.has(key))
}
