import type { Event } from '@signalbox/contracts/event'
import type { EventTrace, TriggerTrace } from '@signalbox/contracts/events'
import type { Caller } from '#platform/http'
import type { Kit } from '#platform/room'
import type { PipelineForRun } from '#rooms/catalog/pipelines'
import type { MatchContext, Matcher, TriggerMatch } from '#rooms/causes/triggers'
import type { NewRun } from '#rooms/execution/runs'
import type { AccessSnapshot } from '#rooms/foundation/access'
import type { EventMeans } from '../index.ts'
import { findRefusal, findUndeclared, isFromFork } from '../rules.ts'

export interface PlanRequest {
  readonly event: Event
  readonly matcher: Matcher
  readonly context: MatchContext
  /** Who posted an event that no secret vouches for: that caller must be allowed to start what it matches as well. */
  readonly poster: Caller | null
  /** Null: posted to /v1/git/events. */
  readonly deliveryRecordId: string | null
  readonly checkoutCredentialRef: string | null
  readonly receivedAt: Date
}

/** Its id is known before it is queued: the delivery's record names it. */
export type PlannedRun = NewRun & { readonly id: string }

export interface EventPlan {
  readonly eventId: string
  readonly event: Event
  readonly deliveryRecordId: string | null
  readonly receivedAt: Date
  readonly runs: readonly PlannedRun[]
  /** Triggers that matched but whose run may not start. */
  readonly refused: number
  readonly trace: EventTrace
}

/** A record of a delivery must not grow without bound with the triggers of a repository. */
const MAX_TRACED = 100

export async function planEvent(kit: Kit, needs: EventMeans, request: PlanRequest): Promise<EventPlan> {
  const { event } = request
  const eventId = kit.ids.next()
  const matches = request.matcher.match(event, request.context)
  const runs: PlannedRun[] = []
  const traces: TriggerTrace[] = []
  let refused = 0
  for (const match of matches) {
    if (!match.matched) {
      needs.metrics.evaluated('not_matched')
      traces.push(traceOf(match, 'not_matched', null, null))
      continue
    }
    const start = await tryStart(kit, needs, request, eventId, match)
    if ('refusal' in start) {
      refused += 1
      needs.metrics.evaluated('refused')
      traces.push(traceOf(match, 'refused', start.refusal, null))
    } else {
      runs.push(start.run)
      needs.metrics.evaluated('started')
      traces.push(traceOf(match, 'started', null, start.run.id))
    }
  }
  return {
    eventId,
    event,
    deliveryRecordId: request.deliveryRecordId,
    receivedAt: request.receivedAt,
    runs,
    refused,
    trace: {
      event_id: eventId,
      kind: event.kind,
      action: event.action,
      repository: event.repository.full_name,
      ref: event.ref,
      layer: runs.length > 0 ? 'service_trigger' : null,
      triggers: chooseTraced(traces),
      manifest: null,
      ...(traces.length > MAX_TRACED
        ? { note: `${traces.length} triggers were considered; those that matched and the first others are shown.` }
        : {}),
    },
  }
}

async function tryStart(
  kit: Kit,
  needs: EventMeans,
  request: PlanRequest,
  eventId: string,
  match: TriggerMatch,
): Promise<{ readonly run: PlannedRun } | { readonly refusal: string }> {
  const { trigger, variables } = match
  const { event } = request
  const grants = await needs.access.snapshot()
  const owner = grants.subject(trigger.owner.kind, trigger.owner.id)
  const pipeline = await needs.pipelines.lookup(trigger.pipeline)
  const fork = isFromFork(event)
  const scope = fork ? await needs.teams.resolveScope(kit.database.kysely, trigger.scope) : undefined
  const refusal = findRefusal({
    event,
    pipelineName: trigger.pipeline,
    scope: trigger.scope,
    pipeline,
    ownerName: trigger.owner.name,
    ownerMayStart: owner && pipeline && owner.can('run.start', pipeline.teamPath),
    ownerMayUseScope: owner !== undefined && grants.canUseScope(owner, trigger.scope),
    scopeProtected: fork && scope?.protected !== false,
    posterMayStart: posterMayStart(request.poster, grants, pipeline, trigger.scope),
  })
  if (refusal !== undefined || !pipeline) return { refusal: refusal ?? 'The pipeline does not exist.' }
  if (!variables.ok) return { refusal: variables.problem }
  if (match.refusal !== null) return { refusal: match.refusal }
  const [stray] = findUndeclared(pipeline.variables, variables.values)
  if (stray) return { refusal: `The trigger sets ${stray}, which is not a variable of ${pipeline.identifier}.` }
  const start = { pipeline, scope: trigger.scope, triggerId: trigger.id ?? undefined, initiator: trigger.owner }
  return { run: newRun(kit, request, eventId, { ...start, variables: variables.values }) }
}

function posterMayStart(
  poster: Caller | null,
  grants: AccessSnapshot,
  pipeline: PipelineForRun | undefined,
  scope: string,
): boolean {
  if (poster === null || !pipeline) return true
  return poster.can('run.start', pipeline.teamPath) && grants.canUseScope(poster, scope)
}

export interface RunStart {
  readonly pipeline: PipelineForRun
  readonly scope: string
  readonly triggerId: string | undefined
  readonly initiator: NewRun['initiator']
  readonly variables: Readonly<Record<string, string>>
}

export function newRun(
  kit: Kit,
  request: Pick<PlanRequest, 'event' | 'deliveryRecordId' | 'checkoutCredentialRef'>,
  eventId: string,
  start: RunStart,
): PlannedRun {
  const { event } = request
  return {
    id: kit.ids.next(),
    ...start,
    cause: 'event',
    eventId,
    deliveryRecordId: request.deliveryRecordId ?? undefined,
    event,
    repository: event.repository.full_name,
    cloneUrl: event.repository.clone_url ?? undefined,
    ref: event.ref ?? undefined,
    branch: event.branch ?? undefined,
    commitSha: event.after ?? undefined,
    checkoutCredentialRef: request.checkoutCredentialRef ?? undefined,
  }
}

function traceOf(
  match: TriggerMatch,
  outcome: TriggerTrace['outcome'],
  reason: string | null,
  runId: string | null,
): TriggerTrace {
  return {
    layer: 'service_trigger',
    trigger_id: match.trigger.id,
    name: match.trigger.name,
    team_path: match.trigger.teamPath,
    matched: match.matched,
    first_failed: match.firstFailed,
    conditions: [...match.conditions],
    outcome,
    reason,
    run_id: runId,
  }
}

function chooseTraced(traces: readonly TriggerTrace[]): TriggerTrace[] {
  if (traces.length <= MAX_TRACED) return [...traces]
  const matched = traces.filter((trace) => trace.matched)
  return [...matched, ...traces.filter((trace) => !trace.matched)].slice(0, MAX_TRACED)
}
