import {
  advanceAll,
  isTerminalRun,
  type RunEvent,
  type RunState,
  startRun,
  type Transition,
} from '@signalbox/pipeline/status'
import type { Tx } from '#platform/database'
import type { Kit } from '#platform/room'
import type {
  AttemptCancel,
  AttemptInsert,
  AttemptLease,
  AttemptReport,
  ProgressStore,
  RunInFlight,
  RunProgress,
  SavedRound,
} from '#rooms/execution/runs'
import type { Given } from '../rules/given.ts'
import { type InboxItem, runOf } from '../rules/inbox.ts'
import { noteFullLanes } from '../rules/lanes.ts'
import { readItem } from '../rules/read-item.ts'
import type { Slots, Tiers } from '../rules/slots.ts'
import { rowOf, type Wish } from '../rules/wish.ts'

export interface RoundNeeds {
  readonly progress: ProgressStore
  /** Why the initiator may not have this run any more; undefined when they may. Throws where it cannot be known. */
  readonly findRefusal: (tx: Tx, run: RunInFlight) => Promise<string | undefined>
}

export interface RoundInput {
  readonly items: readonly InboxItem[]
  /** Runs that were loaded before; a save computed from a stale one is refused and the round is begun again. */
  readonly known: { get(id: string): RunInFlight | undefined }
  readonly slots: Slots
  /** The connected runners that could serve a lane. */
  readonly eligible: (lane: string) => Tiers
  /** Lanes in which something may be queued or wait. */
  readonly queuedLanes: readonly string[]
  readonly waitingLanes: readonly string[]
  readonly leaseMs: number
}

export interface RoundOutcome {
  readonly saved: SavedRound
  readonly given: readonly Given[]
  /** Runs as they stand now, the ended ones included. */
  readonly after: ReadonlyMap<string, RunInFlight>
  /** Lanes of which more may be there than the slots could take. */
  readonly queuedLanes: ReadonlySet<string>
  readonly waitingLanes: ReadonlySet<string>
  readonly refused: number
  /** Runs that left the queue. */
  readonly begun: readonly RunInFlight[]
  /** When a retry or a deadline that this round set comes due. */
  readonly wakeAt: readonly Date[]
}

/**
 * One round: results and other events move their runs, then the free slots go to attempts and queued runs, those of the
 * oldest run first. Everything is stored by one statement of the caller's transaction. Has no effect outside it.
 */
export async function decideRound(kit: Kit, needs: RoundNeeds, tx: Tx, input: RoundInput): Promise<RoundOutcome> {
  const round = new Round(kit, needs, tx, input)
  await round.moveRuns()
  await round.fillSlots()
  return round.save()
}

class Round {
  readonly #kit: Kit
  readonly #needs: RoundNeeds
  readonly #tx: Tx
  readonly #input: RoundInput
  readonly #at: Date
  readonly #runs = new Map<string, RunInFlight>()
  readonly #progress = new Map<string, RunProgress>()
  readonly #inserts: AttemptInsert[] = []
  readonly #leases: AttemptLease[] = []
  readonly #reports = new Map<string, AttemptReport>()
  readonly #cancels: AttemptCancel[] = []
  readonly #wishes: Wish[] = []
  readonly #leased = new Map<string, Wish>()
  readonly #queuedLanes = new Set<string>()
  readonly #waitingLanes = new Set<string>()
  readonly #wakeAt: Date[] = []
  readonly #begun: RunInFlight[] = []
  #refused = 0

  constructor(kit: Kit, needs: RoundNeeds, tx: Tx, input: RoundInput) {
    this.#kit = kit
    this.#needs = needs
    this.#tx = tx
    this.#input = input
    this.#at = kit.clock.now()
  }

  async moveRuns(): Promise<void> {
    const { items, known } = this.#input
    if (items.length === 0) return
    const ids = new Set(items.map(runOf))
    const missing: string[] = []
    for (const id of ids) {
      const run = known.get(id)
      if (run) this.#runs.set(id, run)
      else missing.push(id)
    }
    for (const run of await this.#needs.progress.load(this.#tx, missing)) this.#runs.set(run.id, run)
    const expired = await this.#lockExpired()
    const events = new Map<string, RunEvent[]>()
    for (const item of items) {
      const event = readItem(item, expired, this.#at, this.#reports)
      if (!event) continue
      const list = events.get(runOf(item))
      if (list) list.push(event)
      else events.set(runOf(item), [event])
    }
    for (const [id, list] of events) {
      const run = this.#runs.get(id)
      if (!run?.state) continue
      this.#apply(run, advanceAll(run.graph, run.state, list, run.context))
    }
  }

  async #lockExpired(): Promise<ReadonlySet<string>> {
    const ids = this.#input.items.flatMap((item) =>
      item.kind === 'lost' && item.ifExpired ? [item.held.attemptId] : [],
    )
    return ids.length === 0 ? new Set() : await this.#needs.progress.lockExpired(this.#tx, ids, this.#at)
  }

  #apply(run: RunInFlight, transition: Transition): void {
    const { changed, effects, state } = transition
    if (!changed.run && changed.steps.length === 0 && changed.tasks.length === 0) return
    this.#progress.set(run.id, { before: run, transition })
    for (const effect of effects) {
      if (effect.type === 'schedule_retry') this.#wake(effect.delayMs)
      if (effect.type === 'start_step_timer') this.#wake(effect.afterMs)
    }
    if (run.startedAt === null && run.graph.timeoutMs !== null) this.#wake(run.graph.timeoutMs)
    const canceled = new Map<string, string>()
    for (const effect of effects) {
      if (effect.type === 'cancel_attempt')
        canceled.set(`${effect.step}/${effect.task}/${effect.attempt}`, effect.reason)
    }
    for (const effect of effects) {
      if (effect.type !== 'start_attempt') continue
      const { step, task, attempt: number } = effect
      const key = `${step}/${task}/${number}`
      const wish = { id: this.#kit.ids.next(), run, runId: run.id, lane: run.lane, step, task, number, waiting: false }
      const reason = canceled.get(key)
      if (reason === undefined && !isTerminalRun(state.status)) this.#wishes.push(wish)
      else this.#inserts.push({ ...rowOf(wish), status: 'canceled', reason: reason ?? null, finished_at: this.#at })
      canceled.delete(key)
    }
    for (const effect of effects) {
      if (effect.type !== 'cancel_attempt') continue
      const { step, task, attempt: number, reason } = effect
      if (canceled.has(`${step}/${task}/${number}`)) this.#cancels.push({ run_id: run.id, step, task, number, reason })
    }
  }

  #wake(afterMs: number): void {
    this.#wakeAt.push(new Date(this.#at.getTime() + afterMs))
  }

  async fillSlots(): Promise<void> {
    const { slots, eligible } = this.#input
    const canceled = new Set(this.#cancels.map((each) => `${each.run_id}/${each.step}/${each.task}/${each.number}`))
    const limit = slots.free
    const open = (lanes: readonly string[]) => lanes.filter((lane) => slots.hasFree(eligible(lane)))
    const waitingLanes = limit === 0 ? [] : open(this.#input.waitingLanes)
    const queuedLanes = limit === 0 ? [] : open(this.#input.queuedLanes)
    for (const lane of this.#input.waitingLanes) if (!waitingLanes.includes(lane)) this.#waitingLanes.add(lane)
    for (const lane of this.#input.queuedLanes) if (!queuedLanes.includes(lane)) this.#queuedLanes.add(lane)
    if (waitingLanes.length > 0) {
      const rows = await this.#needs.progress.claimWaiting(this.#tx, waitingLanes, limit)
      for (const row of rows) {
        if (canceled.has(`${row.run_id}/${row.step}/${row.task}/${row.number}`)) continue
        this.#wishes.push({ ...row, runId: row.run_id, run: undefined, waiting: true })
      }
      noteFullLanes(waitingLanes, rows, limit, this.#waitingLanes)
    }
    const claimed = queuedLanes.length > 0 ? await this.#needs.progress.claimQueued(this.#tx, queuedLanes, limit) : []
    noteFullLanes(
      queuedLanes,
      claimed.map(({ run }) => run),
      limit,
      this.#queuedLanes,
    )
    // Ids are ordered by time: what belongs to the oldest run is served first, so that runs begun are ended.
    const wishes = this.#wishes.toSorted((a, b) => (a.runId < b.runId ? -1 : a.runId > b.runId ? 1 : 0))
    for (const { run, broken } of claimed) {
      while ((wishes[0]?.runId ?? run.id) < run.id) this.#grant(wishes.shift())
      await this.#begin(run, broken)
    }
    for (const wish of wishes) this.#grant(wish)
  }

  /** Starts a queued run where a slot is free for it; else it stays in the queue. */
  async #begin(run: RunInFlight, broken: string | undefined): Promise<void> {
    const { slots, eligible } = this.#input
    if (!slots.hasFree(eligible(run.lane))) {
      this.#queuedLanes.add(run.lane)
      return
    }
    const refusal = broken ?? (await this.#findRefusal(run))
    // The poll of lanes comes back to it.
    if (refusal === UNKNOWN) return
    this.#runs.set(run.id, run)
    if (refusal !== undefined) {
      this.#refused += 1
      this.#progress.set(run.id, { before: run, refused: refusal })
      return
    }
    this.#begun.push(run)
    const begun = startRun(run.graph, run.context)
    // In hand is running: the engine itself would say so only once the first task has started.
    const state: RunState = begun.state.status === 'queued' ? { ...begun.state, status: 'running' } : begun.state
    const before = this.#wishes.length
    this.#apply(run, { ...begun, state })
    for (const wish of this.#wishes.slice(before)) this.#grant(wish)
  }

  async #findRefusal(run: RunInFlight): Promise<string | undefined> {
    try {
      return await this.#needs.findRefusal(this.#tx, run)
    } catch (error) {
      // Fail closed: without authorization nothing starts, and nothing is lost.
      this.#kit.log.warn({ err: error, runId: run.id }, 'a queued run waits, for its authorization cannot be checked')
      return UNKNOWN
    }
  }

  #grant(wish: Wish | undefined): void {
    if (!wish) return
    const runnerId = this.#input.slots.take(this.#input.eligible(wish.lane))
    if (runnerId === undefined) {
      this.#waitingLanes.add(wish.lane)
      if (!wish.waiting) this.#inserts.push({ ...rowOf(wish), status: 'waiting' })
      return
    }
    const lease = { runner_id: runnerId, lease_expires_at: new Date(this.#at.getTime() + this.#input.leaseMs) }
    this.#leased.set(wish.id, wish)
    if (wish.waiting) this.#leases.push({ id: wish.id, ...lease })
    else this.#inserts.push({ ...rowOf(wish), status: 'leased', ...lease })
  }

  async save(): Promise<RoundOutcome> {
    const lists = {
      runs: [...this.#progress.values()],
      inserts: this.#inserts,
      leases: this.#leases,
      reports: [...this.#reports.values()],
      cancels: this.#cancels,
    }
    const empty = Object.values(lists).every((list) => list.length === 0)
    const saved = empty
      ? { leased: [], canceled: [], finished: [] }
      : await this.#needs.progress.save(this.#tx, { at: this.#at, ...lists })
    const given = saved.leased.flatMap(({ id, fence, runner_id }) => {
      const wish = this.#leased.get(id)
      if (!wish) return []
      const { runId, step, task, number } = wish
      return [{ attemptId: id, fence, runnerId: runner_id, runId, step, task, number }]
    })
    return {
      saved,
      given,
      after: this.#after(),
      queuedLanes: this.#queuedLanes,
      waitingLanes: this.#waitingLanes,
      refused: this.#refused,
      begun: this.#begun,
      wakeAt: this.#wakeAt,
    }
  }

  #after(): Map<string, RunInFlight> {
    const after = new Map(this.#runs)
    for (const progress of this.#progress.values()) {
      if ('refused' in progress) {
        after.delete(progress.before.id)
        continue
      }
      const { before, transition } = progress
      const startedAt = before.startedAt ?? this.#at
      const { timeoutMs } = before.graph
      const deadlineAt = before.deadlineAt ?? (timeoutMs === null ? null : new Date(startedAt.getTime() + timeoutMs))
      const revision = before.revision + 1
      after.set(before.id, { ...before, state: transition.state, revision, startedAt, deadlineAt })
    }
    return after
  }
}

const UNKNOWN = '\0unknown'
