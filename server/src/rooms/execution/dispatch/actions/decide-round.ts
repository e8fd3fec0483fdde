import { advanceAll, type RunEvent } from '@signalbox/pipeline/status'
import type { Tx } from '#platform/database'
import type { KnowledgeSnapshot } from '#rooms/catalog/knowledge'
import type { RunInFlight, SavedRound } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import { approvalRequest } from '../rules/approval-request.ts'
import type { NewAssignment } from '../rules/assignment.ts'
import { beginRun } from '../rules/begin-run.ts'
import { type InboxItem, runOf } from '../rules/inbox.ts'
import { judgedRun, judgingPlaces } from '../rules/judged.ts'
import { readLane } from '../rules/lanes.ts'
import { readItem } from '../rules/read-item.ts'
import { RoundLedger } from '../rules/round-ledger.ts'
import { inOrder } from '../rules/serving.ts'
import { type Tiers, withoutHandedBack } from '../rules/slots.ts'
import type { Wish } from '../rules/wish.ts'
import { type ClaimInput, claimWork } from './claim-work.ts'
import { findRefusal } from './find-refusal.ts'
import { pinWishes } from './pin-wishes.ts'
import { startChildren } from './start-child.ts'

/** `eligible` knows the connected runners that could serve a lane. */
export interface RoundInput extends ClaimInput {
  readonly items: readonly InboxItem[]
  /** Runs that were loaded before; a save computed from a stale one is refused and the round is begun again. */
  readonly known: { get(id: string): RunInFlight | undefined }
  readonly leaseMs: number
  /** The rules and policies for everything that begins in this round. */
  readonly policies: KnowledgeSnapshot
}

export interface RoundOutcome {
  readonly saved: SavedRound
  readonly assigned: readonly NewAssignment[]
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

/** The policies have changed since the round began: the round is decided anew. */
export class PoliciesMovedOn extends Error {
  override readonly name = 'PoliciesMovedOn'
}

/**
 * One round: results and other events move their runs, then the free slots go to attempts and queued runs. Everything is
 * stored in the caller's transaction, most of it by one statement. Has no effect outside it. Throws PoliciesMovedOn.
 */
export async function decideRound(means: Means, tx: Tx, input: RoundInput): Promise<RoundOutcome> {
  const round = new Round(means, tx, input)
  await round.moveRuns()
  await round.fillSlots()
  return await round.save()
}

class Round {
  readonly #means: Means
  readonly #tx: Tx
  readonly #input: RoundInput
  readonly #at: Date
  readonly #ledger: RoundLedger
  readonly #leased = new Map<string, Wish>()
  readonly #queuedLanes = new Set<string>()
  readonly #waitingLanes = new Set<string>()
  readonly #begun: RunInFlight[] = []
  #judged = false
  #refused = 0

  constructor(means: Means, tx: Tx, input: RoundInput) {
    this.#means = means
    this.#tx = tx
    this.#input = input
    this.#at = means.clock.now()
    this.#ledger = new RoundLedger(this.#at, () => means.ids.next())
  }

  async moveRuns(): Promise<void> {
    const { items, known } = this.#input
    if (items.length === 0) return
    const { runs, reports } = this.#ledger
    const missing: string[] = []
    for (const id of new Set(items.map(runOf))) {
      const run = known.get(id)
      if (run) runs.set(id, run)
      else missing.push(id)
    }
    for (const run of await this.#means.runs.progress.load(this.#tx, missing)) runs.set(run.id, run)
    const expired = await this.#lockExpired()
    const waiting = await this.#lockWaiting()
    const children = await this.#readChildren()
    const events = new Map<string, RunEvent[]>()
    for (const item of items) {
      if (item.kind === 'started') this.#ledger.noteBegun(item.assignment, item.arrivedAt)
      if (item.kind === 'finished' && item.finished.notBegun) {
        this.#ledger.noteHandedBack(item.assignment.runId, item.assignment, item.runnerId)
      }
      const event = readItem(item, { expired, waiting, children, at: this.#at }, reports)
      if (!event) continue
      const list = events.get(runOf(item))
      if (list) list.push(event)
      else events.set(runOf(item), [event])
    }
    // An event that this process's copy of a run ignores may matter to the run as another process stored it.
    const stale: string[] = []
    for (const [id, list] of events) {
      const run = runs.get(id)
      if (run && !this.#advance(run, list) && known.get(id)) stale.push(id)
    }
    for (const run of await this.#means.runs.progress.load(this.#tx, stale)) {
      runs.set(run.id, run)
      this.#advance(run, events.get(run.id) ?? [])
    }
    await this.#startChildren()
  }

  async #lockExpired(): Promise<ReadonlySet<string>> {
    const ids = this.#input.items.flatMap((item) =>
      item.kind === 'lost' && item.ifExpired ? [item.assignment.attemptId] : [],
    )
    return ids.length === 0 ? new Set() : await this.#means.runs.progress.lockExpired(this.#tx, ids, this.#at)
  }

  async #lockWaiting(): Promise<ReadonlySet<string>> {
    const ids = this.#input.items.flatMap((item) => (item.kind === 'stranded' ? [item.assignment.attemptId] : []))
    return ids.length === 0 ? new Set() : await this.#means.runs.progress.lockWaiting(this.#tx, ids)
  }

  /** The final outputs of the children that have ended, by run id: their parents' tasks put these out. */
  async #readChildren(): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
    const ids = this.#input.items.flatMap((item) => (item.kind === 'child_over' ? [item.child.runId] : []))
    return ids.length === 0 ? new Map() : await this.#means.runs.progress.readFinalOutputs(this.#tx, ids)
  }

  /** False: the events say nothing to it. */
  #advance(run: RunInFlight, events: readonly RunEvent[]): boolean {
    const state = this.#ledger.stateOf(run)
    return state !== undefined && this.#ledger.apply(run, advanceAll(run.graph, state, events, this.#contextOf(run)))
  }

  #contextOf(run: RunInFlight): RunInFlight['context'] {
    const judged = judgedRun(run)
    const placeOf = judgingPlaces(run)
    return {
      ...run.context,
      guard: (place) => {
        this.#judged = true
        return this.#input.policies.judge(judged, placeOf(place))
      },
    }
  }

  async #startChildren(): Promise<void> {
    await startChildren(this.#means, this.#tx, {
      ledger: this.#ledger,
      advance: (run, events) => this.#advance(run, events),
      at: this.#at,
    })
  }

  async fillSlots(): Promise<void> {
    await pinWishes(this.#means, this.#tx, this.#ledger)
    const { wishes } = this.#ledger
    const { waiting, queued, ...left } = await claimWork(this.#means, this.#tx, {
      ...this.#input,
      eligible: (lane) => this.#eligible(lane),
    })
    for (const lane of left.waitingLanes) this.#waitingLanes.add(lane)
    for (const lane of left.queuedLanes) this.#queuedLanes.add(lane)
    for (const { run_id: runId, team_path: teamPath, handed_back_by: by, created_at: at, ...key } of waiting) {
      const handedBack = by === null ? null : { by, at }
      if (!this.#ledger.isCanceled(runId, key)) wishes.push({ ...key, runId, teamPath, handedBack, row: null })
    }
    for (const next of inOrder(wishes.splice(0), queued)) {
      if ('attempt' in next) this.#grant(next.attempt)
      else await this.#begin(next.begin.run, next.begin.broken)
    }
  }

  /** No runner is eligible under an emergency: the work waits until the emergency is lifted. */
  #eligible(lane: string): Tiers {
    const scope = readLane(lane)?.scope
    if (scope !== undefined && this.#input.policies.emergencyOn(scope)) return []
    return this.#input.eligible(lane)
  }

  /** Starts a queued run where a slot is free for it; else it stays in the queue. */
  async #begin(run: RunInFlight, broken: string | undefined): Promise<void> {
    if (!this.#input.slots.hasFree(this.#eligible(run.lane))) {
      this.#queuedLanes.add(run.lane)
      return
    }
    const refusal = broken ?? (await this.#findRefusal(run)) ?? this.#findViolation(run)
    // The poll of lanes comes back to it.
    if (refusal === UNKNOWN) return
    this.#ledger.runs.set(run.id, run)
    if (refusal !== undefined) {
      this.#refuse(run, refusal)
      return
    }
    const reuse = await this.#means.runs.progress.loadReuse(this.#tx, run)
    if ('problem' in reuse) {
      this.#refuse(run, reuse.problem)
      return
    }
    this.#begun.push(run)
    this.#ledger.apply(run, beginRun(run.graph, this.#contextOf(run), reuse.tasks))
    await this.#startChildren()
    for (const wish of this.#ledger.wishes.splice(0)) this.#grant(wish)
  }

  #refuse(run: RunInFlight, reason: string): void {
    this.#refused += 1
    this.#ledger.refuse(run, reason)
  }

  /** The rule that forbids the whole run, if any; the judged revisions are recorded with the run either way. */
  #findViolation(run: RunInFlight): string | undefined {
    this.#judged = true
    const { pins, violation } = this.#input.policies.judge(judgedRun(run), { at: 'run' })
    this.#ledger.pin(run.id, null, null, pins)
    return violation ?? undefined
  }

  async #findRefusal(run: RunInFlight): Promise<string | undefined> {
    try {
      return await findRefusal(this.#means, this.#tx, run)
    } catch (error) {
      // Fail closed: without authorization nothing starts, and nothing is lost.
      this.#means.log.warn({ err: error, runId: run.id }, 'a queued run waits, for its authorization cannot be checked')
      return UNKNOWN
    }
  }

  #grant(wish: Wish): void {
    const { inserts, leases } = this.#ledger
    const runnerId = this.#input.slots.take(withoutHandedBack(this.#eligible(wish.lane), wish.handedBack, this.#at))
    if (runnerId === undefined) {
      this.#waitingLanes.add(wish.lane)
      if (wish.row) inserts.push({ ...wish.row, status: 'waiting' })
      return
    }
    const lease = { runner_id: runnerId, lease_expires_at: new Date(this.#at.getTime() + this.#input.leaseMs) }
    this.#leased.set(wish.id, wish)
    if (wish.row) inserts.push({ ...wish.row, status: 'leased', ...lease })
    else leases.push({ id: wish.id, ...lease })
  }

  async save(): Promise<RoundOutcome> {
    const { runs, progress, inserts, leases, reports, cancels, pins, approvals, wakeAt } = this.#ledger
    const lists = { runs: [...progress.values()], inserts, leases, reports: [...reports.values()], cancels, pins }
    const empty = Object.values(lists).every((list) => list.length === 0)
    const saved = empty
      ? { leased: [], canceled: [], finished: [], after: new Map<string, RunInFlight>() }
      : await this.#means.runs.progress.save(this.#tx, { at: this.#at, ...lists })
    if (approvals.length > 0) await this.#means.approvals.request(this.#tx, approvals.flatMap(approvalRequest))
    const applied = this.#input.items.flatMap((item) => (item.kind === 'decided' ? [item.requestId] : []))
    if (applied.length > 0) await this.#means.approvals.markApplied(this.#tx, applied)
    if (this.#judged && !(await this.#means.knowledge.isCurrent(this.#tx, this.#input.policies))) {
      this.#means.knowledge.refresh()
      throw new PoliciesMovedOn('The policies have changed since the round began')
    }
    const assigned = saved.leased.flatMap(({ id, fence, runner_id }) => {
      const wish = this.#leased.get(id)
      if (!wish) return []
      const { runId, step, task, number } = wish
      return [{ attemptId: id, fence, runnerId: runner_id, runId, step, task, number }]
    })
    const after = new Map([...runs, ...saved.after])
    for (const [id, entry] of progress) if ('refused' in entry) after.delete(id)
    const { queuedLanes, waitingLanes } = { queuedLanes: this.#queuedLanes, waitingLanes: this.#waitingLanes }
    return { saved, assigned, after, queuedLanes, waitingLanes, refused: this.#refused, begun: this.#begun, wakeAt }
  }
}

const UNKNOWN = '\0unknown'
