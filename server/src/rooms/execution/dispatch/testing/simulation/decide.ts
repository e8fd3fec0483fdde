import type { GraphTask } from '@signalbox/pipeline/graph'
import { advanceAll, isTerminalRun, mayFollowLoss, type RunEvent, type Transition } from '@signalbox/pipeline/status'
import type { AttemptReport } from '#rooms/execution/runs'
import { noContext } from '../../../../../../../pipeline/src/status/testing/index.ts'
import { beginRun } from '../../rules/begin-run.ts'
import { type InboxItem, runOf } from '../../rules/inbox.ts'
import { noteFullLanes } from '../../rules/lanes.ts'
import { readItem } from '../../rules/read-item.ts'
import { inOrder } from '../../rules/serving.ts'
import { type Slots, type Tiers, withoutHandedBack } from '../../rules/slots.ts'
import type { HandedBack } from '../../rules/wish.ts'
import type { Round, Snapshot, Store, TaskKey } from './store.ts'
import type { Transaction } from './transaction.ts'

/** The only lane of the simulation. */
const LANE = 'acme/web/production {"executor":"host","labels":[]}'

interface Wish extends TaskKey {
  readonly id: string
  readonly runId: string
  readonly waiting: boolean
  readonly handedBack: HandedBack | null
  readonly teamPath: string
  readonly priority: number
}

/** All runs are of one team and as important as each other. */
const RANK = { teamPath: 'acme/web', priority: 0 }

function rankOf(before: Snapshot) {
  return { before, run: { id: before.id, ...RANK } }
}

export interface RoundInput {
  readonly store: Store
  readonly transaction: Transaction
  readonly items: readonly InboxItem[]
  readonly known: ReadonlyMap<string, Snapshot>
  readonly slots: Slots
  readonly tiers: Tiers
  readonly lookForWork: boolean
  readonly now: number
  readonly leaseMs: number
  readonly nextId: () => string
}

export interface Decided {
  readonly round: Round
  /** Runs as they stand once the round is stored. */
  readonly after: readonly Snapshot[]
  readonly mayBeMore: boolean
}

/** A round of the dispatcher: the rules of `actions/decide-round.ts`, over the simulated tables. */
export function decide(input: RoundInput): Decided {
  const { store, transaction, items, slots, tiers, now } = input
  const at = new Date(now)
  const runs: { before: Snapshot; transition: Transition }[] = []
  const reports = new Map<string, AttemptReport>()
  const inserts: Round['inserts'][number][] = []
  const leases: { id: string; runnerId: string }[] = []
  const cancels: (TaskKey & { runId: string; reason: string })[] = []
  const wishes: Wish[] = []
  const full = new Set<string>()
  const handedBack = new Map<string, HandedBack>()

  const apply = (before: Snapshot, transition: Transition) => {
    if (isEmpty(transition)) return
    const { effects, state } = transition
    runs.push({ before, transition })
    const ended = new Map<string, TaskKey & { reason: string }>()
    for (const effect of effects) {
      if (effect.type !== 'cancel_attempt') continue
      const { step, task, attempt: number, reason } = effect
      ended.set(`${step}/${task}/${number}`, { step, task, number, reason })
    }
    for (const effect of effects) {
      if (effect.type !== 'start_attempt') continue
      const { step, task, attempt: number } = effect
      const withdrawn = ended.delete(`${step}/${task}/${number}`) || isTerminalRun(state.status)
      if (withdrawn) continue
      const back = handedBack.get(`${before.id}/${step}/${task}/${number}`) ?? null
      const wish = { id: input.nextId(), runId: before.id, step, task, number, handedBack: back }
      wishes.push({ ...wish, waiting: false, ...RANK })
    }
    for (const cancel of ended.values()) cancels.push({ runId: before.id, ...cancel })
  }

  const grant = (wish: Wish) => {
    const { id, runId, step, task, number } = wish
    const insert = { id, runId, step, task, number, handedBack: wish.handedBack }
    const runnerId = slots.take(withoutHandedBack(tiers, wish.handedBack, at))
    if (runnerId === undefined) {
      if (!wish.waiting) inserts.push({ ...insert, runnerId: null })
    } else if (wish.waiting) leases.push({ id, runnerId })
    else inserts.push({ ...insert, runnerId })
  }

  const expired = store.lockExpired(
    transaction,
    items.flatMap((item) => (item.kind === 'lost' && item.ifExpired ? [item.assignment.attemptId] : [])),
    now,
  )
  const events = new Map<string, RunEvent[]>()
  for (const item of items) {
    if (item.kind === 'finished' && item.finished.notBegun) {
      const { runId, step, task, number } = item.assignment
      handedBack.set(`${runId}/${step}/${task}/${number + 1}`, { by: item.runnerId, at })
    }
    const event = readItem(item, { expired, waiting: new Set(), children: new Map(), at }, reports)
    if (event !== undefined) events.set(runOf(item), [...(events.get(runOf(item)) ?? []), event])
  }
  for (const [id, list] of events) {
    const known = input.known.get(id)
    const run = known ?? store.load(id)
    if (run?.state === undefined) continue
    const transition = advanceAll(run.graph, run.state, list, context)
    // An event that the known state of a run ignores may matter to its stored state.
    const mayBeStale = known !== undefined && isEmpty(transition) && store.rules.staleStatesAreReloaded
    const fresh = mayBeStale ? store.load(id) : undefined
    if (fresh?.state === undefined) apply(run, transition)
    else apply(fresh, advanceAll(fresh.graph, fresh.state, list, context))
  }

  const limit = slots.free
  const queued: Snapshot[] = []
  if (input.lookForWork && limit > 0) {
    const withdrawn = new Set(cancels.map(({ runId, step, task, number }) => `${runId}/${step}/${task}/${number}`))
    const waiting = store.claimWaiting(transaction, limit)
    for (const { id, runId, step, task, number, handedBack: back } of waiting) {
      if (!withdrawn.has(`${runId}/${step}/${task}/${number}`)) {
        wishes.push({ id, runId, step, task, number, handedBack: back, waiting: true, ...RANK })
      }
    }
    const lanes = waiting.map(() => ({ lane: LANE }))
    noteFullLanes([LANE], lanes, limit, full)
    queued.push(...store.claimQueued(transaction, limit))
    noteFullLanes(
      [LANE],
      queued.map(() => ({ lane: LANE })),
      limit,
      full,
    )
  }
  for (const next of inOrder(wishes.splice(0), queued.map(rankOf))) {
    if ('attempt' in next) {
      grant(next.attempt)
      continue
    }
    if (!slots.hasFree(tiers)) {
      full.add(LANE)
      continue
    }
    const { before } = next.begin
    apply(before, beginRun(before.graph, context))
    for (const wish of wishes.splice(0)) grant(wish)
  }

  const after = runs.map(({ before, transition }) => {
    return { ...before, state: transition.state, revision: before.revision + 1 }
  })
  const round = { runs, inserts, leases, reports: [...reports.values()], cancels, leaseExpiresAt: now + input.leaseMs }
  return { round, after, mayBeMore: full.size > 0 }
}

function isEmpty({ changed }: Transition): boolean {
  return !changed.run && changed.steps.length === 0 && changed.tasks.length === 0
}

export const context = noContext

/** Whether a loss of this attempt would be followed by another one: then its runner ends it with its lease. */
export function stopsWithLease(run: Snapshot, key: TaskKey): boolean {
  const task = findTask(run, key)
  const tasks = run.state?.steps.find(({ name }) => name === key.step)?.tasks
  const handedBack = tasks?.find(({ name }) => name === key.task)?.handedBack ?? 0
  return task !== undefined && mayFollowLoss(task, key.number - handedBack)
}

function findTask(run: Snapshot, key: TaskKey): GraphTask | undefined {
  return run.graph.steps.find(({ name }) => name === key.step)?.tasks.find(({ name }) => name === key.task)
}
