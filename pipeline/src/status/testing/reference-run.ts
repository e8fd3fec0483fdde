import type { Graph, GraphStep, GraphTask } from '../../graph/index.ts'
import type { RunStatus, StepStatus, TaskStatus } from '../state.ts'
import type { RunEvent, TaskFinished } from '../transition.ts'

interface Task {
  readonly task: GraphTask
  status: TaskStatus
  attempt: number
  blocks: boolean
  lossesBefore: number
  handedBack: number
}

interface Step {
  readonly step: GraphStep
  readonly tasks: Task[]
  status: StepStatus
  blocks: boolean
  timedOut: boolean
}

const open: readonly string[] = ['pending', 'ready', 'running', 'paused']

/**
 * A run as one would write it down to explain it: after each event it looks at everything again, as often as something
 * changes. The model keeps no counts and no reasons, and has no guard. Its only conditions are `true`, `false` and one
 * that cannot be evaluated.
 */
export class ReferenceRun {
  readonly steps: readonly Step[]
  status: RunStatus = 'queued'
  ending: 'canceled' | 'timed_out' | 'failure' | null = null
  losses = 0

  constructor(graph: Graph) {
    this.steps = graph.steps.map((step) => {
      const tasks = step.tasks.map((task): Task => {
        return { task, status: 'pending', attempt: 0, blocks: false, lossesBefore: 0, handedBack: 0 }
      })
      return { step, tasks, status: 'pending', blocks: false, timedOut: false }
    })
    this.#look()
  }

  apply(event: RunEvent): void {
    if (!open.includes(this.status) && this.status !== 'queued') return
    const step = 'step' in event ? this.#step(event.step) : undefined
    const task = step?.tasks.find((one) => one.task.name === ('task' in event ? event.task : 'approval'))
    if (event.type === 'cancel_requested') this.#end('canceled')
    else if (event.type === 'run_timed_out') this.#end('timed_out')
    else if (event.type === 'failed_closed') this.#end('failure')
    else if (step === undefined) return
    else if (event.type === 'step_timed_out') {
      if (step.status !== 'running' || this.ending !== null || step.timedOut) return
      step.timedOut = true
      this.#interrupt(step)
    } else if (task === undefined) return
    else if (event.type === 'approval_decided' || event.type === 'approval_timed_out') {
      if (task.status !== 'paused') return
      const approved = event.type === 'approval_decided' && event.decision === 'approved'
      task.status = approved ? 'success' : event.type === 'approval_timed_out' ? 'timed_out' : 'failure'
      task.blocks = !approved
      if (!approved) this.#end(event.type === 'approval_timed_out' ? 'timed_out' : 'failure')
    } else if (event.type === 'task_started') {
      if (task.status !== 'ready' || task.attempt !== event.attempt) return
      task.status = 'running'
      if (step.status === 'ready') step.status = 'running'
      if (this.status === 'queued') this.status = 'running'
    } else if (event.type === 'retry_due') {
      if (task.status === 'pending' && task.attempt > 0 && event.attempt === task.attempt + 1) this.#attempt(task)
    } else this.#finish(step, task, event)
    this.#look()
  }

  #finish(step: Step, task: Task, event: TaskFinished): void {
    if (!['ready', 'running'].includes(task.status) || task.attempt !== event.attempt) return
    const { result } = event
    const close = (status: TaskStatus, blocks: boolean) => Object.assign(task, { status, blocks })
    const counts =
      result === 'lost' && event.runnerLives !== true && this.ending === null && task.lossesBefore === this.losses
    if (counts) this.losses += 1
    if (counts && this.losses === 3) {
      close('failure', true)
      this.#end('failure')
      return
    }
    const interrupted = this.ending ?? (step.timedOut ? 'timed_out' : null)
    const { attempts, exitCodes } = task.task.retry
    const tries = result === 'lost' && task.task.idempotent ? Math.max(3, attempts) : attempts
    const again = result === 'lost' || exitCodes === null || exitCodes.includes(event.exitCode ?? -1)
    if (result === 'success') close('success', false)
    else if (interrupted !== null && (result === 'canceled' || result === 'lost'))
      close(interrupted === 'timed_out' ? 'timed_out' : 'canceled', true)
    else if (result === 'canceled') close('canceled', true)
    else if (interrupted === null && event.notBegun === true && task.handedBack < 20) {
      task.handedBack += 1
      this.#attempt(task)
    } else if (interrupted === null && again && task.attempt - task.handedBack < tries) {
      task.status = 'pending'
      if (task.task.retry.backoffMs === 0) this.#attempt(task)
    } else this.#fail(step, task, result === 'timed_out' ? 'timed_out' : 'failure')
  }

  #fail(step: Step, task: Task, status: TaskStatus = 'failure'): void {
    if (task.task.ignoreFailure) Object.assign(task, { status: 'failure (ignored)', blocks: false })
    else if (step.step.ignoreFailure) Object.assign(task, { status: 'failure (ignored)', blocks: true })
    else Object.assign(task, { status, blocks: true })
  }

  #attempt(task: Task): void {
    Object.assign(task, { status: 'ready', attempt: task.attempt + 1, lossesBefore: this.losses })
  }

  #end(ending: 'canceled' | 'timed_out' | 'failure'): void {
    if (this.ending !== null) return
    this.ending = ending
    for (const step of this.steps) if (open.includes(step.status)) this.#interrupt(step)
  }

  #interrupt(step: Step): void {
    for (const task of step.tasks) {
      if (open.includes(task.status) && task.status !== 'running')
        Object.assign(task, { status: 'canceled', blocks: true })
    }
  }

  /** Begins and completes whatever can be, again and again, until a look changes nothing. */
  #look(): void {
    while (this.steps.some((step) => this.#completeStep(step) || this.#beginStep(step) || this.#beginTask(step)));
    const tasks = this.steps.flatMap((step) => step.tasks)
    const acting = tasks.some(
      ({ status, attempt }) => ['ready', 'running'].includes(status) || (status === 'pending' && attempt > 0),
    )
    const paused = tasks.some((task) => task.status === 'paused') && !acting
    if (paused) this.status = 'paused'
    else if (this.status === 'paused') this.status = 'running'
    if (this.steps.every((step) => !open.includes(step.status))) this.status = this.#result()
  }

  #beginStep(step: Step): boolean {
    const before = step.step.dependsOn.map((name) => this.#step(name))
    if (step.status !== 'pending' || before.some((one) => one === undefined || open.includes(one.status))) return false
    const { when, condition } = step.step
    const blocked = when === 'success' && before.some((one) => one?.blocks)
    const close = (status: StepStatus, blocks: boolean) => {
      Object.assign(step, { status, blocks })
      for (const task of step.tasks) Object.assign(task, { status: 'skipped', blocks })
    }
    if (blocked || (when === 'failure' && !this.#followsFailure(step))) close('skipped', blocked)
    else if (condition === 'false') close('skipped', false)
    else if (isBroken(condition)) close(step.step.ignoreFailure ? 'warning' : 'failure', !step.step.ignoreFailure)
    else step.status = 'ready'
    return true
  }

  #followsFailure(step: Step): boolean {
    return step.step.dependsOn.some((name) => {
      const before = this.#step(name)
      return before !== undefined && (['failure', 'timed_out'].includes(before.status) || this.#followsFailure(before))
    })
  }

  #beginTask(step: Step): boolean {
    if (step.status === 'pending') return false
    const task = step.tasks.find((one) => {
      const before = step.tasks.filter((other) => one.task.dependsOn.includes(other.task.name))
      return one.status === 'pending' && one.attempt === 0 && before.every((other) => !open.includes(other.status))
    })
    if (task === undefined) return false
    const before = step.tasks.filter((other) => task.task.dependsOn.includes(other.task.name))
    if (before.some((other) => other.blocks)) Object.assign(task, { status: 'skipped', blocks: true })
    else if (task.task.condition === 'false') task.status = 'skipped'
    else if (isBroken(task.task.condition)) this.#fail(step, task)
    else if (task.task.kind === 'approval') task.status = step.status = 'paused'
    else this.#attempt(task)
    return true
  }

  #completeStep(step: Step): boolean {
    if (!open.includes(step.status) || step.tasks.some((task) => open.includes(task.status))) return false
    const has = (...statuses: TaskStatus[]) => step.tasks.some((task) => statuses.includes(task.status))
    const close = (status: StepStatus, blocks: boolean) => Object.assign(step, { status, blocks })
    if (step.timedOut) close(step.step.ignoreFailure ? 'warning' : 'timed_out', !step.step.ignoreFailure)
    else if (this.ending !== null && has('timed_out', 'canceled') && !has('failure'))
      close(has('timed_out') ? 'timed_out' : 'canceled', true)
    else if (has('failure', 'timed_out')) close('failure', true)
    else if (has('canceled')) close('canceled', true)
    else if (has('failure (ignored)')) close('warning', false)
    else close(step.tasks.every((task) => task.status === 'skipped') ? 'skipped' : 'success', false)
    return true
  }

  #result(): RunStatus {
    if (this.ending !== null) return this.ending
    const has = (...statuses: StepStatus[]) => this.steps.some((step) => statuses.includes(step.status))
    if (has('failure', 'timed_out')) return 'failure'
    if (has('canceled')) return 'canceled'
    return has('warning') ? 'warning' : 'success'
  }

  #step(name: string): Step | undefined {
    return this.steps.find((one) => one.step.name === name)
  }
}

/** `event.x == 1` cannot be evaluated in a run without an event. */
function isBroken(condition: string | null): boolean {
  return condition !== null && condition !== 'true' && condition !== 'false'
}
