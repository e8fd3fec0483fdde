import type { EventQuery, EventTrace } from '@signalbox/contracts/events'
import { type Caller, type Page, pageOf } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { EventRow, StoredEvent } from '#rooms/causes/events'
import { orUnavailable } from '../errors.ts'
import type { Means } from '../means.ts'
import * as store from '../store/deliveries.ts'
import { narrowedBy } from './asked-change.ts'
import { explainTrace } from './explain-trace.ts'
import { findMissedRecords } from './find-missed.ts'

/** With when its delivery was missed; null: it was not. */
export interface MarkedEvent extends EventRow {
  readonly missedAt: Date | null
}

/** Events that the caller may see: events of a source by the source's team, and posted ones by `maySeePosted`. */
export async function listEvents(means: Means, caller: Caller, query: EventQuery): Promise<Page<MarkedEvent>> {
  const { repository, kind, result, cause } = query
  const narrowed = narrowedBy(query)
  const prefixes = caller.prefixes('event.read')
  const sourceIds = cause === 'posted' ? [] : await findReadable(means, caller)
  const posted = cause === 'delivery' ? undefined : { by: caller, prefixes }
  const [since, until] = [query.since, query.until].map((at) => (at === undefined ? undefined : new Date(at)))
  const scope = { sourceIds, posted, repository, ...narrowed, kind, result, since, until }
  const { items, next } = await pageOf(query, (window) =>
    means.events.list(means.database.kysely, { ...window, ...scope }),
  )
  return { items: await mark(means, items), next }
}

async function mark(means: Means, events: readonly EventRow[]): Promise<readonly MarkedEvent[]> {
  const missed = await findMissedRecords(
    means,
    events.flatMap(({ deliveryRecordId }) => deliveryRecordId ?? []),
  )
  return events.map((event) => ({ ...event, missedAt: missed.get(event.deliveryRecordId ?? '') ?? null }))
}

async function findReadable(means: Means, caller: Caller): Promise<string[]> {
  const book = await orUnavailable(means.ingress.book.get())
  return [...book].flatMap(([id, { source }]) => (caller.can('event.read', source.teamPath) ? [id] : []))
}

/**
 * The poster sees the event, as do callers who may see events of the team whose run it started first. Without a run,
 * callers on the platform see it.
 */
function maySeePosted(caller: Caller, { posterKind, posterId, teamPath }: EventRow): boolean {
  const maySee = caller.can('event.read', teamPath ?? '/')
  // A token with limits sees what these leave, and not all that its owner posted.
  return maySee || (!caller.token?.limits && posterKind === caller.kind && posterId === caller.id)
}

export interface ExplainedEvent {
  readonly event: MarkedEvent
  readonly trace: EventTrace | null
  /** By rules that the caller may see. */
  readonly runIds: readonly string[]
}

/** Throws the same 404 for an event that never was and for an event that the caller may not see. */
export async function getEvent(means: Means, caller: Caller, id: string): Promise<ExplainedEvent> {
  const event = await findVisibleEvent(means, caller, id)
  if (!event) throw platformProblem('not_found', 'There is no event of this id that you may see.')
  const stored = event.trace ?? (await traceOfDelivery(means, event))
  const explained = stored && (await explainTrace(means, { verification: '', events: [stored] }, caller))
  const trace = explained?.events[0] ?? null
  const started = trace?.triggers.flatMap(({ run_id: runId }) => runId ?? []) ?? []
  const missed = await findMissedRecords(means, event.deliveryRecordId === null ? [] : [event.deliveryRecordId])
  const missedAt = missed.get(event.deliveryRecordId ?? '') ?? null
  return { event: { ...event, missedAt }, trace, runIds: event.directRunId === null ? started : [event.directRunId] }
}

/** Undefined for an event that never was and for one that the caller may not see. */
export async function findVisibleEvent(means: Means, caller: Caller, id: string): Promise<StoredEvent | undefined> {
  const event = await means.events.find(means.database.kysely, id)
  const book = await orUnavailable(means.ingress.book.get())
  const source = event?.sourceId ? book.get(event.sourceId)?.source : undefined
  const maySee =
    event && event.sourceId === null
      ? maySeePosted(caller, event)
      : caller.can('event.read', source?.teamPath ?? '/') && source !== undefined
  return maySee ? event : undefined
}

async function traceOfDelivery(means: Means, event: EventRow): Promise<EventTrace | undefined> {
  const { sourceId, deliveryRecordId } = event
  if (sourceId === null || deliveryRecordId === null) return undefined
  const delivery = await store.findDelivery(means.database.kysely, sourceId, deliveryRecordId)
  return delivery?.trace.events.find((trace) => trace.event_id === event.id)
}
