import type { Event } from '@signalbox/contracts/event'
import { execute, type Tx } from '#platform/database'
import { madeAt } from '#platform/ids'
import type { EventPlan } from '#rooms/causes/events'
import { orUnavailable } from '../errors.ts'
import { type Checked, type ReadArrival, recordOf } from '../ingress/arrival.ts'
import type { DeliveryEntry } from '../ingress/delivery-entry.ts'
import { markGroupRepeated } from '../ingress/group.ts'
import type { LiveSource } from '../ingress/source-book.ts'
import type { Means } from '../means.ts'
import { type Delivery, judgeReading, MADE_EVENT_TYPE, matchContextOf, outcomeOf } from '../rules/index.ts'
import { isRepeated, storeDeliveries, tellDeliveries } from '../store/commit.ts'
import { planEvents } from './plan-events.ts'

/** An event that no delivery told of. */
export interface WantedEvent {
  readonly sourceId: string
  readonly event: Event
  /** Stands for the provider's id of the delivery, which never came. */
  readonly deliveryId: string
  /**
   * Called first in the transaction, with the ids of event and record; false: nothing is made. It may be called again,
   * as the transaction is repeated.
   */
  claim(tx: Tx, made: { readonly eventId: string; readonly deliveryRecordId: string }): Promise<boolean>
}

export interface MadeDelivery {
  readonly eventId: string
  readonly deliveryRecordId: string
  readonly runIds: readonly string[]
}

/** Other deliveries may start the same between two tries, each time another one. */
const TRIES = 10
const CHECKED =
  "Nobody sent it: this service made it, because no delivery told of what the provider's API shows by now."

/**
 * Makes an event as if its delivery came now: allowlist, other names, overrides, manifest and triggers decide as ever, and
 * its record has no payload. Undefined: the claim did not hold, the source is gone or disabled, or is not for the
 * repository.
 */
export async function makeEvent(means: Means, wanted: WantedEvent): Promise<MadeDelivery | undefined> {
  const live = (await orUnavailable(means.ingress.book.get())).get(wanted.sourceId)
  if (!live?.forge || !live.source.enabled || !live.allows(wanted.event.repository.full_name)) return undefined
  const ticket = means.ingress.admissions.take(live.source.id, 0)
  try {
    const arrival = arrive(means, { ...live, forge: live.forge }, ticket)
    const entry = await plan(means, live, arrival, wanted)
    return entry && (await commit(means, wanted, entry))
  } finally {
    ticket.giveBack()
  }
}

function arrive(
  means: Means,
  { source, allows, origin, forge }: LiveSource & { readonly forge: ReadArrival['forge'] },
  ticket: ReadArrival['ticket'],
): ReadArrival {
  const id = means.ids.next()
  const body = Buffer.alloc(0)
  return {
    id,
    source,
    allows,
    forge,
    origin,
    request: { sourceId: source.id, headers: {}, rawHeaders: [], address: '', readBody: async () => body },
    receivedAt: madeAt(id),
    startedAt: means.clock.monotonic(),
    body,
    ticket,
  }
}

async function plan(
  means: Means,
  { source, allows }: LiveSource,
  arrival: ReadArrival,
  { event, deliveryId }: WantedEvent,
): Promise<DeliveryEntry | undefined> {
  const { action } = event
  const reading = { kind: 'events' as const, eventType: MADE_EVENT_TYPE, action, events: [event] as const }
  const names = await orUnavailable(means.ingress.names.get())
  const at = arrival.receivedAt
  const judged = judgeReading(reading, { source, allows, names, at, ownLogin: undefined })
  if (judged.kind !== 'events') return undefined
  const context = matchContextOf(source, await orUnavailable(means.access.snapshot()))
  const planned = await planEvents(means, arrival, { events: judged.events, context })
  const plans = planned.map((one) => ({ ...one, isMade: true }))
  const checked: Checked = { verification: 'not_checked', detail: CHECKED, reading, deliveryId }
  const outcome = outcomeOf(plans)
  return {
    delivery: recordOf(means, arrival, { ...outcome, checked, plans }),
    repetition: outcome.statusCode === 202 ? 'claim' : 'look',
    payload: undefined,
    plans,
    reportsStatus: source.reportStatus,
  }
}

/** In a transaction of its own, whose claim comes before everything else. */
async function commit(means: Means, wanted: WantedEvent, asked: DeliveryEntry): Promise<MadeDelivery | undefined> {
  let [entry] = means.events.repeatThemselves(asked.plans) ? await repeated(means, asked) : [asked]
  for (let tries = 1; entry; tries++) {
    const trying = entry
    try {
      const made = await means.database.transaction((tx) => store(means, tx, wanted, trying), {
        afterCommit(stored) {
          if (stored && stored.runIds.length > 0) means.onRunsQueued()
        },
      })
      if (made) await tell(means, trying.delivery)
      return made
    } catch (error) {
      if (tries >= TRIES || !(isRepeated(error) || means.events.isRepeated(error))) throw error
      ;[entry] = await repeated(means, asked)
    }
  }
  return undefined
}

function repeated(means: Means, entry: DeliveryEntry): Promise<readonly DeliveryEntry[]> {
  return markGroupRepeated(means.database.kysely, means.events, [entry])
}

async function store(
  means: Means,
  tx: Tx,
  { claim }: WantedEvent,
  { delivery, repetition, plans, reportsStatus = false }: DeliveryEntry,
): Promise<MadeDelivery | undefined> {
  const [first] = plans
  if (!first) return undefined
  const made = { eventId: first.eventId, deliveryRecordId: delivery.id }
  if (!(await claim(tx, made))) return undefined
  await execute(tx, storeDeliveries([{ delivery, repetition }], []))
  const started = plans.map((one: EventPlan) => ({ reportsStatus, plan: one }))
  for (const statement of [...means.above.reporting(started), ...means.events.admission(plans)]) {
    await execute(tx, statement)
  }
  return { ...made, runIds: delivery.runIds }
}

async function tell(means: Means, { id, sourceId }: Delivery): Promise<void> {
  await tellDeliveries(means.database.kysely, [`created ${sourceId} ${id}`]).catch((error: Error) =>
    means.log.debug({ err: error.message }, 'pages hear of deliveries later'),
  )
}
