import type { GraphTask } from '@signalbox/pipeline/graph'
import { isTerminalRun, type RunState, type Transition } from '@signalbox/pipeline/status'
import type {
  AttemptCancel,
  AttemptInsert,
  AttemptLease,
  AttemptReport,
  PinRow,
  RunInFlight,
  RunProgress,
} from '#rooms/execution/runs'
import { findTask } from './find-task.ts'
import { type AttemptKey, type HandedBack, type Wish, wishFor } from './wish.ts'

export type PipelineTask = Extract<GraphTask, { kind: 'pipeline' }>

/** An attempt that is to be a run of another pipeline. */
export interface ChildWish {
  readonly run: RunInFlight
  readonly wish: Wish
  readonly scope: string
  readonly task: PipelineTask
}

/** An approval step that a run has reached. */
export interface ApprovalWish {
  readonly run: RunInFlight
  readonly step: string
}

/** The decisions of one round so far, as the lists that will be stored. The ledger reads and stores nothing. */
export class RoundLedger {
  readonly runs = new Map<string, RunInFlight>()
  readonly progress = new Map<string, RunProgress>()
  readonly inserts: AttemptInsert[] = []
  readonly leases: AttemptLease[] = []
  readonly reports = new Map<string, AttemptReport>()
  readonly cancels: AttemptCancel[] = []
  readonly pins: PinRow[] = []
  readonly approvals: ApprovalWish[] = []
  readonly wakeAt: Date[] = []
  /** Attempts that want a slot. The code that serves them takes them out, and likewise `children`, which want a child run. */
  wishes: Wish[] = []
  children: ChildWish[] = []
  readonly #begun = new Map<string, Map<string, Date>>()
  readonly #canceled = new Set<string>()
  readonly #handedBack = new Map<string, HandedBack>()
  readonly #at: Date
  readonly #nextId: () => string

  constructor(at: Date, nextId: () => string) {
    this.#at = at
    this.#nextId = nextId
  }

  /** Where a run stands after all that was decided. */
  stateOf(run: RunInFlight): RunState | undefined {
    const progress = this.progress.get(run.id)
    return progress && 'transition' in progress ? progress.transition.state : run.state
  }

  refuse(run: RunInFlight, reason: string): void {
    this.progress.set(run.id, { before: run, refused: reason })
  }

  pin(runId: string, step: string | null, task: string | null, revisions: readonly string[]): void {
    for (const revision_id of revisions) this.pins.push({ run_id: runId, step, task, revision_id })
  }

  /** The begin of a task is stored with a delay, perhaps together with its end. */
  noteBegun({ runId, step, task }: Omit<AttemptKey, 'number'> & { readonly runId: string }, at: Date): void {
    const ofRun = this.#begun.get(runId) ?? new Map<string, Date>()
    this.#begun.set(runId, ofRun)
    if (!ofRun.has(`${step}/${task}`)) ofRun.set(`${step}/${task}`, at)
  }

  /** A runner has handed an attempt back: the next one is not for it at once. */
  noteHandedBack(runId: string, { step, task, number }: AttemptKey, by: string): void {
    this.#handedBack.set(nameOf(runId, { step, task, number: number + 1 }), { by, at: this.#at })
  }

  /** False: it changes nothing. */
  apply(run: RunInFlight, transition: Transition): boolean {
    const { changed, effects, state } = transition
    if (!changed.run && changed.steps.length === 0 && changed.tasks.length === 0) return false
    const earlier = this.progress.get(run.id)
    const whole = earlier && 'transition' in earlier ? joined(earlier.transition, transition) : transition
    this.progress.set(run.id, { before: run, transition: whole, begun: this.#begun.get(run.id) })
    if (!earlier && run.startedAt === null && run.graph.timeoutMs !== null) this.#wake(run.graph.timeoutMs)
    const over = isTerminalRun(state.status)
    for (const effect of effects) {
      switch (effect.type) {
        case 'schedule_retry':
          this.#wake(effect.delayMs)
          break
        case 'start_step_timer':
          this.#wake(effect.afterMs)
          break
        case 'start_attempt':
          this.#want(run, { step: effect.step, task: effect.task, number: effect.attempt }, over)
          break
        case 'cancel_attempt':
          this.#cancel(run, { step: effect.step, task: effect.task, number: effect.attempt }, effect.reason)
          break
        case 'request_approval':
          this.approvals.push({ run, step: effect.step })
          break
        case 'pin':
          this.pin(run.id, effect.step, effect.task, effect.revisions)
          break
        case 'finish_run':
          break
        default:
          effect satisfies never
      }
    }
    return true
  }

  /** Whether an attempt that waits is to end in this round. */
  isCanceled(runId: string, key: AttemptKey): boolean {
    return this.#canceled.has(nameOf(runId, key))
  }

  #want(run: RunInFlight, key: AttemptKey, over: boolean): void {
    const wish = wishFor(this.#nextId(), run, key, this.#handedBack.get(nameOf(run.id, key)) ?? null)
    if (over) {
      this.#drop(wish, null)
      return
    }
    const found = findTask(run.graph, key.step, key.task)
    const task = found?.task
    switch (task?.kind) {
      case 'pipeline':
        this.children.push({ run, wish, scope: found?.step.scope ?? run.scope, task })
        break
      case 'run':
        this.wishes.push(wish)
        break
      // Refused where it is to be assigned, with a reason.
      case 'approval':
      case undefined:
        this.wishes.push(wish)
        break
      default:
        task satisfies never
    }
  }

  #cancel(run: RunInFlight, key: AttemptKey, reason: string): void {
    const same = (wish: Wish): boolean =>
      wish.runId === run.id && wish.step === key.step && wish.task === key.task && wish.number === key.number
    const wish = this.wishes.find(same) ?? this.children.find((child) => same(child.wish))?.wish
    if (!wish) {
      this.cancels.push({ run_id: run.id, ...key, reason })
      this.#canceled.add(nameOf(run.id, key))
      return
    }
    this.wishes = this.wishes.filter((other) => other !== wish)
    this.children = this.children.filter((child) => child.wish !== wish)
    this.#drop(wish, reason)
  }

  /** Nobody has heard of it yet. */
  #drop({ row }: Wish, reason: string | null): void {
    if (row) this.inserts.push({ ...row, status: 'canceled', reason, finished_at: this.#at })
  }

  #wake(afterMs: number): void {
    this.wakeAt.push(new Date(this.#at.getTime() + afterMs))
  }
}

function nameOf(runId: string, { step, task, number }: AttemptKey): string {
  return `${runId}/${step}/${task}/${number}`
}

/** Two transitions of one run, the second from where the first led. */
function joined(first: Transition, second: Transition): Transition {
  return {
    state: second.state,
    effects: [...first.effects, ...second.effects],
    changed: {
      run: first.changed.run || second.changed.run,
      steps: [...new Set([...first.changed.steps, ...second.changed.steps])],
      tasks: [...new Set([...first.changed.tasks, ...second.changed.tasks])],
    },
  }
}
