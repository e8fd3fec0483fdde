import type { Event } from '@signalbox/contracts/event'
import { findUndeclaredVariables } from '@signalbox/pipeline/facts'
import { type Caller, principalOf, requireVisible } from '#platform/http'
import { type Problem, platformProblem } from '#platform/problems'
import { eventProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { isFromFork } from '../rules/index.ts'
import type { EventPlan } from './event-plan.ts'
import { findFault, mayTellWhere, newRun } from './start-run.ts'
import { traceEvent } from './trace-plan.ts'

export interface DirectStart {
  readonly pipeline: string
  readonly scope: string
  readonly variables: Readonly<Record<string, string>>
  /** Whether a signature vouches for the event. */
  readonly signed: boolean
}

/** Of the starter of a run whose event names its pipeline. */
export const DIRECT_STARTER = 'request:'

/** The event names its pipeline: the caller starts it, and must be allowed to. Triggers have no say. */
export async function planDirectly(
  means: Means,
  caller: Caller,
  event: Event,
  wanted: DirectStart,
): Promise<EventPlan> {
  const found = await means.pipelines.lookup(wanted.pipeline)
  const pipeline = requireVisible(caller, 'pipeline.read', found, () =>
    invalid('pipeline', `there is no pipeline ${wanted.pipeline} that you may see`),
  )
  if (
    !caller.can('run.start', pipeline.teamPath) ||
    !(await means.access.snapshot()).canUseScope(caller, wanted.scope)
  ) {
    throw eventProblem('event.not_permitted', `You may not start ${wanted.pipeline} in the scope ${wanted.scope}.`)
  }
  if (!wanted.signed && !mayTellWhere(caller, event, pipeline)) {
    const detail = `To say what ${wanted.pipeline} clones you need pipeline.write on ${pipeline.teamPath}, or a signature.`
    throw eventProblem('event.not_permitted', detail)
  }
  if (isFromFork(event) && event.after === null) {
    throw invalid('after', 'is required for a pull request from a fork: a member approves that commit')
  }
  if (isFromFork(event) && (await means.teams.resolveScope(means.database.kysely, wanted.scope))?.protected !== false) {
    const detail = `The pull request comes from a fork or an unknown place, and the scope ${wanted.scope} is protected.`
    throw eventProblem('event.not_permitted', detail)
  }
  const fault = await findFault(means, caller, pipeline, { who: 'You', untrusted: isFromFork(event) })
  if (fault !== undefined) throw eventProblem('event.not_permitted', fault)
  const [stray] = findUndeclaredVariables(pipeline, Object.keys(wanted.variables))
  if (stray) throw invalid(`variables.${stray.name}`, stray.message)
  const eventId = means.ids.next()
  const request = { event, deliveryRecordId: null, checkoutCredentialRef: null, replayOf: null }
  const run = newRun(means, request, eventId, {
    pipeline,
    scope: wanted.scope,
    triggerId: undefined,
    manifestTrigger: undefined,
    initiator: principalOf(caller),
    variables: wanted.variables,
    concurrency: null,
  })
  return {
    eventId,
    event,
    sourceId: null,
    deliveryRecordId: null,
    replayOf: null,
    vouched: wanted.signed,
    receivedAt: means.clock.now(),
    starts: [{ starter: `${DIRECT_STARTER}${run.id}`, run }],
    cancels: [],
    refused: 0,
    pending: null,
    repeats: null,
    trace: traceEvent(eventId, event, [], null),
  }
}

export function invalid(field: string, message: string): Problem {
  return platformProblem('invalid_request', `${field}: ${message}.`, { errors: [{ field, message }] })
}
