import type { Event } from '@signalbox/contracts/event'
import { isUnavailable } from '#platform/database'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { EventPlan } from '#rooms/causes/events'
import type { MatchContext, Membership } from '#rooms/causes/triggers'
import type { AccessSnapshot } from '#rooms/foundation/access'
import {
  addressOf,
  cloneUrlOf,
  credentialFor,
  outcomeOf,
  type RepositoryNames,
  readsRepository,
  type Source,
  type SourceOwner,
  whyMembersUnasked,
  whyUnreachable,
} from '../rules/index.ts'
import { knowNames, newNames, withOtherNames } from './know-names.ts'
import type { Ingress } from './open-ingress.ts'
import { type Arrival, type Checked, payloadOf, recordOf, secondsSince } from './record-delivery.ts'

export interface DeliveryAnswer {
  readonly status: 200 | 202
  readonly body: { readonly status: 'accepted' | 'ignored' }
}

/**
 * A source is for the triggers of those who may see it, or of everybody when it is shared. It speaks for its own team and
 * those below; when it is shared, also for teams whose runs its owner may start. Who may change it may override it.
 */
export function contextOf(
  source: Pick<Source, 'id' | 'teamPath' | 'visibility' | 'owner'>,
  snapshot: AccessSnapshot,
): MatchContext {
  const { teamPath } = source
  const shared = source.visibility === 'shared'
  const may = (who: SourceOwner, permission: string, path: string): boolean =>
    snapshot.subject(who.kind, who.id)?.can(permission, path) === true
  return {
    sourceId: source.id,
    visibleTo: (owner) => shared || may(owner, 'webhook_source.read', teamPath),
    feeds: (path) =>
      path === teamPath || path.startsWith(`${teamPath}/`) || (shared && may(source.owner, 'run.start', path)),
    overriddenBy: (owner) => may(owner, 'webhook_source.write', teamPath),
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
  const plans = await planEvents(kit, ingress, arrival, events, context)
  const outcome = outcomeOf(plans)
  const names = newNames(await namesOf(ingress), arrival.source.id, events, arrival.receivedAt)
  const committed = await ingress.committer.commit({
    delivery: recordOf(kit, arrival, checked, { ...outcome, plans }),
    repetition: outcome.statusCode === 202 ? 'claim' : 'look',
    payload: payloadOf(ingress, arrival, checked),
    plans,
    reportsStatus: arrival.source.reportStatus,
    names,
  })
  if (names.length > 0) ingress.names.invalidate()
  const { result, statusCode } = committed.delivery
  ingress.metrics.delivered(arrival.source.provider, result, secondsSince(kit, arrival))
  return statusCode === 202
    ? { status: 202, body: { status: 'accepted' } }
    : { status: 200, body: { status: 'ignored' } }
}

/** What the events start now, by the matcher of this moment; `replayOf` is the delivery that a person has run again. */
export async function planEvents(
  kit: Kit,
  ingress: Ingress,
  arrival: Arrival,
  events: readonly Event[],
  context: MatchContext,
  replayOf: string | null = null,
): Promise<readonly EventPlan[]> {
  try {
    const { source, origin } = arrival
    const matcher = await ingress.needs.triggers.matcher()
    const names = await knowNames(ingress)
    const plans: EventPlan[] = []
    for (const told of events) {
      const event = told.repository.clone_url === null ? withCloneUrl(kit, arrival, told) : told
      const cloneUrl = event.repository.clone_url
      // To read an address costs as much as to match an event.
      const asked = source.readRepository || event.pull_request !== null
      const unreachable = asked ? whyUnreachable(origin, cloneUrl) : undefined
      const known = withOtherNames(context, names, arrival, { event, at: arrival.receivedAt })
      plans.push(
        await ingress.needs.events.plan({
          event,
          matcher,
          context: event.comment ? { ...known, membership: membershipOf(arrival, unreachable) } : known,
          poster: null,
          deliveryRecordId: arrival.id,
          replayOf,
          readsRepository: readsRepository(source, origin, cloneUrl),
          headUnasked: unreachable === undefined ? null : `${unreachable}, so the provider is not asked.`,
          unreadable:
            source.readRepository && unreachable !== undefined
              ? `${unreachable}, so the manifest and the changed files are not read.`
              : undefined,
          checkoutCredentialRef: credentialFor(source, origin, cloneUrl),
          receivedAt: arrival.receivedAt,
        }),
      )
    }
    return plans
  } catch (error) {
    throw unavailable(error)
  }
}

/** Of the author of a comment, which a job asks the provider after the answer. */
function membershipOf({ source, forge }: Arrival, unreachable: string | undefined): Membership {
  const unasked = whyMembersUnasked(source, forge)
  if (unasked !== undefined) return { state: 'unknown', reason: unasked }
  if (unreachable === undefined) return { state: 'asked_later' }
  return { state: 'unknown', reason: `${unreachable}, so the provider is not asked.` }
}

/** Providers leave the address out in some versions and events. */
function withCloneUrl({ config }: Kit, { source, forge }: Arrival, event: Event): Event {
  const cloneUrl = cloneUrlOf(event.repository, forge, addressOf(source, forge, config.providerHosts))
  return { ...event, repository: { ...event.repository, clone_url: cloneUrl } }
}

async function namesOf(ingress: Ingress): Promise<RepositoryNames> {
  try {
    return await knowNames(ingress)
  } catch (error) {
    throw unavailable(error)
  }
}

/** Grants, triggers or secrets that cannot be read: nothing may be decided, so nothing is. */
export function unavailable(error: unknown): unknown {
  if (!isUnavailable(error)) return error
  return platformProblem('authorization_unavailable', 'It cannot be decided right now what the delivery may start.', {
    cause: error,
    headers: { 'retry-after': '2' },
  })
}
