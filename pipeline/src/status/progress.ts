import { APPROVAL_TASK } from '../graph/graph.ts'
import { type AttemptVerdict, attemptVerdict, declaredOutputs, MOST_LOST_ATTEMPTS } from './attempts.ts'
import type { Draft } from './draft.ts'
import type { GraphIndex } from './graph-index.ts'
import { findPlace, keyOf, type TaskPlace } from './place.ts'
import type { ApprovalDecided, AttemptKey, RunEvent, TaskFinished } from './transition.ts'
import type { Walk } from './walk.ts'

/** Applies each event to the run; a stale event changes nothing. */
export class Progress {
  readonly #index: GraphIndex
  readonly #draft: Draft
  readonly #walk: Walk

  constructor(index: GraphIndex, draft: Draft, walk: Walk) {
    this.#index = index
    this.#draft = draft
    this.#walk = walk
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
        this.#walk.end({ status: 'canceled', reason: event.reason })
        break
      case 'run_timed_out':
        this.#walk.end({ status: 'timed_out', reason: 'the time limit of the run is over' })
        break
      case 'step_timed_out':
        this.#timeOutStep(event.step)
        break
      case 'approval_decided':
        this.#decide(event)
        break
      case 'approval_timed_out':
        this.#timeOutApproval(event.step)
        break
      case 'failed_closed':
        this.#walk.end({ status: 'failure', reason: event.reason })
        break
      default:
        event satisfies never
    }
    this.#walk.settle()
  }

  // The reports of runners.

  #start(event: AttemptKey): void {
    const place = findPlace(this.#index, event)
    if (place === undefined) return
    const task = this.#walk.taskState(place)
    if (task.status !== 'ready' || task.attempt !== event.attempt) return
    this.#draft.setTask(place.stepAt, place.taskAt, { status: 'running', reason: null })
    if (this.#draft.run.status === 'queued') this.#draft.setRun({ status: 'running' })
    if (this.#draft.step(place.stepAt).status !== 'ready') return
    this.#draft.setStep(place.stepAt, { status: 'running' })
    const { name, timeoutMs } = place.step.step
    if (timeoutMs !== null) this.#draft.effects.push({ type: 'start_step_timer', step: name, afterMs: timeoutMs })
  }

  #finish(event: TaskFinished): void {
    const place = findPlace(this.#index, event)
    if (place === undefined) return
    const task = this.#walk.taskState(place)
    if ((task.status !== 'ready' && task.status !== 'running') || task.attempt !== event.attempt) return
    const { ending } = this.#draft.run
    const tookRunner = event.result === 'lost' && event.runnerLives !== true
    const poisoned = tookRunner && ending === null && this.#countLoss(task.lossesBefore)
    const { timedOut } = this.#draft.step(place.stepAt)
    const interrupted = ending ?? (timedOut === null ? null : { status: 'timed_out' as const, reason: timedOut })
    const verdict = attemptVerdict(place.task.task, event, {
      interrupted,
      stepIgnoresFailure: place.step.step.ignoreFailure,
      poisoned,
      handedBack: task.handedBack,
    })
    switch (verdict.type) {
      case 'complete':
        this.#walk.completeTask(place, verdict.fields)
        break
      case 'again':
        this.#tryAgain(place, verdict)
        break
      default:
        verdict satisfies never
    }
    if (poisoned) {
      this.#walk.end({ status: 'failure', reason: `stopped: it lost its runner ${MOST_LOST_ATTEMPTS} times` })
    }
  }

  /**
   * Whether this loss is one too many. Attempts in hand when the last loss was counted may be lost by the same crash.
   */
  #countLoss(lossesBefore: number): boolean {
    const { lostAttempts } = this.#draft.run
    if (lossesBefore < lostAttempts) return false
    this.#draft.setRun({ lostAttempts: lostAttempts + 1 })
    return lostAttempts + 1 >= MOST_LOST_ATTEMPTS
  }

  #tryAgain(place: TaskPlace, verdict: Extract<AttemptVerdict, { type: 'again' }>): void {
    const { fields, delayMs } = verdict
    this.#draft.setTask(place.stepAt, place.taskAt, { status: 'pending', ...fields })
    if (delayMs === 0) {
      this.#walk.startAttempt(place)
      return
    }
    const attempt = this.#walk.taskState(place).attempt + 1
    this.#draft.effects.push({ type: 'schedule_retry', ...keyOf(place), attempt, delayMs })
  }

  #retry(event: AttemptKey): void {
    const place = findPlace(this.#index, event)
    if (place === undefined) return
    const task = this.#walk.taskState(place)
    // A pending task with attempts behind it waits for exactly this.
    if (task.status !== 'pending' || task.attempt === 0 || event.attempt !== task.attempt + 1) return
    this.#walk.startAttempt(place)
  }

  #timeOutStep(name: string): void {
    const stepAt = this.#index.stepAt.get(name)
    if (stepAt === undefined || this.#draft.run.ending !== null) return
    const step = this.#draft.step(stepAt)
    if (step.status !== 'running' || step.timedOut !== null) return
    const reason = `the time limit of step ${name} is over`
    this.#draft.setStep(stepAt, { timedOut: reason })
    this.#walk.interruptStep(stepAt, reason)
  }

  // The decisions of people.

  #decide(event: ApprovalDecided): void {
    const place = this.#findPaused(event.step)
    if (place === undefined) return
    switch (event.decision) {
      case 'approved': {
        const outputs = declaredOutputs(place.task.task, event.outputs)
        const reason = event.reason === '' ? null : event.reason
        this.#walk.completeTask(place, { status: 'success', reason, outputs })
        break
      }
      case 'rejected': {
        const reason = event.reason === '' ? `step ${event.step} was rejected` : event.reason
        this.#walk.completeTask(place, { status: 'failure', reason, blocks: true })
        this.#walk.end({ status: 'failure', reason })
        break
      }
      default:
        event.decision satisfies never
    }
  }

  #timeOutApproval(step: string): void {
    const place = this.#findPaused(step)
    if (place === undefined) return
    const reason = `nobody approved step ${step} in time`
    this.#walk.completeTask(place, { status: 'timed_out', reason, blocks: true })
    this.#walk.end({ status: 'timed_out', reason })
  }

  #findPaused(step: string): TaskPlace | undefined {
    const place = findPlace(this.#index, { step, task: APPROVAL_TASK })
    return place !== undefined && this.#walk.taskState(place).status === 'paused' ? place : undefined
  }
}
