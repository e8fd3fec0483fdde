import type { Event } from '@signalbox/contracts/event'
import { CopyStale, isUnavailable } from '#platform/database'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { EventPlan } from '#rooms/causes/events'
import type { MatchContext } from '#rooms/causes/triggers'
import type { AccessSnapshot } from '#rooms/foundation/access'
import { credentialFor, originOf, type Source } from '../rules/index.ts'
import type { Ingress } from './open-ingress.ts'
import { type Arrival, type Checked, payloadOf, recordOf, secondsSince } from './record-delivery.ts'

export interface DeliveryAnswer {
  readonly status: 200 | 202
  readonly body: { readonly status: 'accepted' | 'ignored' }
}

/** A source is for the triggers of those who may see it, or of everybody when it is shared. */
export function contextOf(source: Source, snapshot: AccessSnapshot): MatchContext {
  return {
    sourceId: source.id,
    visibleTo: (owner) =>
      source.visibility === 'shared' ||
      snapshot.subject(owner.kind, owner.id)?.can('webhook_source.read', source.teamPath) === true,
  }
}

/** Matches, stores, and only then answers. */
export async function admitDelivery(
  kit: Kit,
  ingress: Ingress,
  arrival: Arrival,
  checked: Checked,
  events: readonly Event[],
  context: MatchContext,
): Promise<DeliveryAnswer> {
  const plans = await plan(kit, ingress, arrival, events, context)
  const runIds = plans.flatMap((one) => one.runs.map((run) => run.id))
  const started = runIds.length > 0
  const delivery = recordOf(kit, arrival, checked, {
    result: started ? 'accepted' : 'ignored',
    statusCode: started ? 202 : 200,
    reason: summarize(plans, runIds.length),
    runIds,
    plans,
  })
  const committed = await ingress.committer.commit({
    delivery,
    repetition: started ? 'claim' : 'look',
    payload: payloadOf(arrival, checked),
    plans,
  })
  const { result, statusCode } = committed.delivery
  ingress.metrics.delivered(arrival.source.provider, result, secondsSince(kit, arrival))
  return statusCode === 202
    ? { status: 202, body: { status: 'accepted' } }
    : { status: 200, body: { status: 'ignored' } }
}

async function plan(
  kit: Kit,
  ingress: Ingress,
  arrival: Arrival,
  events: readonly Event[],
  context: MatchContext,
): Promise<readonly EventPlan[]> {
  try {
    const { source, forge } = arrival
    const origin = originOf(source, forge, kit.config.providerHosts)
    const matcher = await ingress.needs.triggers.matcher()
    const plans: EventPlan[] = []
    for (const event of events) {
      plans.push(
        await ingress.needs.events.plan({
          event,
          matcher,
          context,
          poster: null,
          deliveryRecordId: arrival.id,
          checkoutCredentialRef: credentialFor(source, origin, event.repository.clone_url),
          receivedAt: arrival.receivedAt,
        }),
      )
    }
    return plans
  } catch (error) {
    throw unavailable(error)
  }
}

function summarize(plans: readonly EventPlan[], runs: number): string {
  if (runs > 0) return `${runs} ${runs === 1 ? 'run was' : 'runs were'} queued.`
  const refused = plans.reduce((sum, one) => sum + one.refused, 0)
  if (refused > 0)
    return `${refused} ${refused === 1 ? 'trigger' : 'triggers'} matched, but nothing may start; see the trace.`
  const considered = plans.reduce((sum, one) => sum + one.trace.triggers.length, 0)
  return considered === 0 ? 'No trigger names the repository.' : 'No trigger matched; see the trace.'
}

/** Grants, triggers or secrets that cannot be read: nothing may be decided, so nothing is. */
export function unavailable(error: unknown): unknown {
  if (!(error instanceof CopyStale) && !isUnavailable(error)) return error
  return platformProblem('authorization_unavailable', 'It cannot be decided right now what the delivery may start.', {
    cause: error,
    headers: { 'retry-after': '2' },
  })
}
