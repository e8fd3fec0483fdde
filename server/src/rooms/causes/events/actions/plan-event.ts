import type { Event } from '@signalbox/contracts/event'
import type { ManifestTrace, TriggerTrace } from '@signalbox/contracts/events'
import type { TriggerMatch } from '#rooms/causes/triggers'
import type { Means } from '../means.ts'
import {
  completeFromHead,
  type KnownHead,
  MANIFEST_PATH,
  manifestAt,
  needsAskedHead,
  needsKnownHead,
  pathsBaseOf,
  tellsHeadByItself,
  whyNoCommit,
} from '../rules/index.ts'
import { findHead } from '../store/heads.ts'
import type { CommentedRule, EventPlan, PlannedCancel, PlannedStart, PlanRequest } from './event-plan.ts'
import { COMMIT_IS_READ, type Matches, type PlannedMatches, planMatches } from './plan-matches.ts'
import { planOverride } from './plan-override.ts'
import { traceEvent } from './trace-plan.ts'

/**
 * The runs that an event starts, decided by the highest layer with a rule. An override decides alone; without one, the
 * repository's manifest and the service's triggers decide. No query on the usual way.
 */
export async function planEvent(means: Means, asked: PlanRequest): Promise<EventPlan> {
  const event = await complete(means, asked.event, asked.context.sourceId)
  const unasked = asked.headUnasked ?? (asked.readsRepository || tellsHeadByItself(event) ? null : READ_NOTHING)
  const request = { ...asked, event, commitFault: unasked === null ? undefined : whyNoCommit(event, unasked) }
  const asksHead = needsAskedHead(event) && unasked === null
  const eventId = means.ids.next()
  const matches = request.matcher.match(event, request.context)
  const override = await planOverride(means, request, eventId, matches)
  if (override.decides) {
    const waits = asksHead && override.planned.starts.length > 0
    const decided = waits ? deferOverride(override.planned, matches) : { ...override.planned, pending: null }
    return planOf(request, eventId, decided, null)
  }

  const waits = asksHead ? 'everything' : request.readsRepository ? whatWaits(event) : 'nothing'
  const decided = await planMatches(means, request, eventId, { layer: 'service_trigger', matches, defers: waits })
  const place = request.readsRepository ? manifestAt(event) : undefined
  const reads = place !== undefined || (request.readsRepository && asksHead)
  const pending = reads || decided.deferred.length > 0 ? { triggers: decided.deferred } : null
  const manifest = reads ? awaited(place?.commitSha ?? null) : unreadable(request)
  const traces = [...override.traces, ...decided.traces]
  return planOf(request, eventId, { ...decided, traces, pending }, manifest)
}

const READ_NOTHING = 'Set read_repository of the source, and the provider is asked.'

/** Its run needs the commit that has to be asked for. Should it be gone by then, the triggers that it outranked decide. */
function deferOverride(planned: PlannedMatches, matches: readonly TriggerMatch[]): Decided {
  const traces = planned.traces.map((trace) =>
    trace.run_id === null ? trace : { ...trace, outcome: 'deferred' as const, reason: COMMIT_IS_READ, run_id: null },
  )
  const triggers = matches.flatMap(({ matched, trigger }) => (matched && trigger.id !== null ? [trigger.id] : []))
  return { ...planned, starts: [], traces, pending: { triggers } }
}

/** Where the source reads repositories. */
export function whatWaits(event: Event): Matches['defers'] {
  if (needsAskedHead(event)) return 'everything'
  return pathsBaseOf(event) === undefined ? 'nothing' : 'paths'
}

/** One query, for the few events that leave out what an earlier one said. */
async function complete(means: Means, event: Event, sourceId: string | null): Promise<Event> {
  const number = event.pull_request?.number
  if (number === undefined || !needsKnownHead(event)) return event
  const known: KnownHead | undefined =
    sourceId === null ? undefined : await findHead(means.database.kysely, sourceId, event.repository.full_name, number)
  return completeFromHead(event, known)
}

function awaited(commitSha: string | null): ManifestTrace {
  return { state: 'pending', path: MANIFEST_PATH, commit_sha: commitSha, blob_id: null, reason: null, problems: [] }
}

function unreadable({ unreadable: reason, event }: PlanRequest): ManifestTrace | null {
  const place = reason === undefined ? undefined : manifestAt(event)
  return place && reason !== undefined ? { ...awaited(place.commitSha), state: 'unreadable', reason } : null
}

interface Decided {
  readonly starts: readonly PlannedStart[]
  readonly cancels: readonly PlannedCancel[]
  readonly refused: number
  readonly traces: readonly TriggerTrace[]
  readonly pending: EventPlan['pending']
  readonly commented?: readonly CommentedRule[]
}

function planOf(request: PlanRequest, eventId: string, decided: Decided, manifest: ManifestTrace | null): EventPlan {
  const { event, deliveryRecordId, replayOf, receivedAt, context, poster } = request
  const { starts, cancels, refused, pending, traces, commented = [] } = decided
  return {
    eventId,
    event,
    sourceId: context.sourceId,
    deliveryRecordId,
    replayOf,
    vouched: poster === null,
    receivedAt,
    starts,
    cancels,
    refused,
    pending,
    repeats: null,
    trace: traceEvent(eventId, event, traces, manifest),
    ...(commented.length === 0 ? {} : { commented }),
  }
}
