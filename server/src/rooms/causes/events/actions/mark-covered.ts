import type { Queryable } from '#platform/database'
import { madeAt } from '#platform/ids'
import { isPullCovered, isPushCovered, type LaterChange } from '../rules/index.ts'
import { LATE_MS } from '../store/starts.ts'
import { findMade, type StoredMade } from '../store/suspected.ts'
import { listTold, MOST_TOLD, REF_KINDS, type ToldChange } from '../store/told-changes.ts'
import { startsOf } from './admit-events.ts'
import { changeKeyAt, changeOf } from './change-key.ts'
import type { EventPlan } from './event-plan.ts'
import { highestLayer } from './trace-plan.ts'

/**
 * The plans less the runs of events that tell of a part of what this service made an event of meanwhile. The others name
 * the made events that were looked at, so that the transaction does not fail at them again.
 */
export async function markCovered(db: Queryable, plans: readonly EventPlan[]): Promise<readonly EventPlan[]> {
  const asking = plans.filter((plan) => startsOf(plan).length > 0 && changeOf(plan) !== undefined)
  if (asking.length === 0) return plans
  const oldest = Math.min(...asking.map(({ receivedAt }) => receivedAt.getTime()))
  const keys = asking.map((plan) => changeOf(plan) ?? '')
  const made = Map.groupBy(await findMade(db, keys, new Date(oldest - LATE_MS)), ({ changeKey }) => changeKey)
  if (made.size === 0) return plans
  const told = await readTold(db, [...made.values()].flat())
  const marked: EventPlan[] = []
  for (const plan of plans) {
    const key = changeOf(plan)
    const others = (key === undefined ? undefined : made.get(key))?.filter(({ eventId }) => eventId !== plan.eventId)
    if (key === undefined || !others) {
      const gone = goneKeyOf(plan)
      const before = gone === undefined ? undefined : told.get(gone)
      if (gone !== undefined && before) told.set(gone, [...before, toldBy(plan)])
      marked.push(plan)
      continue
    }
    const earlier = (told.get(key) ?? []).filter(({ eventId }) => eventId !== plan.eventId)
    // Whoever makes an event has asked what was told: were it a part of another, its head would never run.
    const isFollowed = plan.isMade !== true && earlier.length < MOST_TOLD
    const covering = isFollowed ? others.find((one) => !one.startedNothing && isCovered(plan, one, earlier)) : undefined
    marked.push(covering ? withoutStarts(plan, covering) : withJudged(plan, others))
    // Those of one group are not stored yet.
    told.set(key, [...earlier, toldBy(plan)])
  }
  return marked
}

/** What was told of each ref since the first of its made events, by the keys of the changes. */
async function readTold(db: Queryable, made: readonly StoredMade[]): Promise<Map<string, readonly ToldChange[]>> {
  const told = new Map<string, readonly ToldChange[]>()
  for (const first of made.filter((one, at) => made.findIndex(({ changeKey }) => changeKey === one.changeKey) === at)) {
    const { changeKey, sourceId, repository, ref, pullRequest } = first
    const asked = { sourceId, repository, since: madeAt(first.eventId) }
    if (ref === null) {
      const changes = await listTold(db, { ...asked, kinds: ['pull_request'] })
      told.set(
        changeKey,
        changes.filter((change) => change.ref?.includes(`/${pullRequest}/`) === true),
      )
    } else told.set(changeKey, await listTold(db, { ...asked, kinds: REF_KINDS, refs: [ref] }))
  }
  return told
}

function isCovered(plan: EventPlan, made: StoredMade, told: readonly ToldChange[]): boolean {
  const { event, receivedAt: at } = plan
  const since = told.filter(({ eventId }) => eventId > made.eventId)
  const later: readonly LaterChange[] = since.map((change) => ({ ...change, at: madeAt(change.eventId) }))
  if (made.ref !== null) return isPushCovered({ ...event, at }, made, later)
  const head = event.after ?? event.pull_request?.head.sha_prefix
  const occurredAt = event.occurred_at === null ? null : new Date(event.occurred_at)
  return isPullCovered({ head, occurredAt, at }, made, later)
}

/** The change that ends with a branch: what comes after it in the same group is of another branch of that name. */
function goneKeyOf({ sourceId, event }: EventPlan): string | undefined {
  if (event.kind !== 'branch_deleted' || sourceId === null || event.ref === null) return undefined
  return changeKeyAt(sourceId, event.repository.full_name, { ref: event.ref })
}

function toldBy({ eventId, event, deliveryRecordId }: EventPlan): ToldChange {
  const { kind, ref, before, after } = event
  return { eventId, kind, ref, before, after, deliveryRecordId }
}

function withJudged(plan: EventPlan, made: readonly StoredMade[]): EventPlan {
  const judged = made.map(({ id }) => id)
  return { ...plan, starts: plan.starts.map((start) => ({ ...start, judged })) }
}

function withoutStarts(plan: EventPlan, made: StoredMade): EventPlan {
  const left = new Set(plan.starts.map(({ run }) => run.id))
  const isHead = plan.event.after !== null && plan.event.after === made.head
  const state = isHead ? 'is the same commit' : 'is an older commit of it'
  const reason =
    `No delivery had told of this change, so that this service made event ${made.eventId} of it. ` +
    `What came late ${state}, and starts nothing.`
  const triggers = plan.trace.triggers.map((trace) =>
    trace.run_id !== null && left.has(trace.run_id)
      ? { ...trace, outcome: 'duplicate' as const, reason, run_id: null }
      : trace,
  )
  const nothingLeft = plan.pending === null && plan.cancels.length === 0
  return {
    ...plan,
    starts: [],
    repeats: nothingLeft ? made.deliveryRecordId : null,
    trace: { ...plan.trace, layer: highestLayer(triggers), triggers },
  }
}
