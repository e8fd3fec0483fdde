import type { Event } from '@signalbox/contracts/event'
import type { EventPlan } from '#rooms/causes/events'
import type { MatchContext, Membership } from '#rooms/causes/triggers'
import { unavailable } from '../errors.ts'
import type { Arrival } from '../ingress/arrival.ts'
import type { Means } from '../means.ts'
import {
  addressOf,
  cloneUrlOf,
  credentialFor,
  readsRepository,
  whyMembersUnasked,
  whyUnreachable,
} from '../rules/index.ts'
import { withOtherNames } from './know-names.ts'

export interface Planning {
  readonly events: readonly Event[]
  readonly context: MatchContext
  /** The delivery that a person has run again. */
  readonly replayOf?: string | null
}

/** The runs that the events start now, by today's rules. */
export async function planEvents(
  means: Means,
  arrival: Arrival,
  { events, context, replayOf = null }: Planning,
): Promise<readonly EventPlan[]> {
  try {
    const { source, origin } = arrival
    const matcher = await means.triggers.matcher()
    const names = await means.ingress.names.get()
    const plans: EventPlan[] = []
    for (const told of events) {
      const event = told.repository.clone_url === null ? withCloneUrl(means, arrival, told) : told
      const cloneUrl = event.repository.clone_url
      // To read an address costs as much as to match an event.
      const asked = source.readRepository || event.pull_request !== null
      const unreachable = asked ? whyUnreachable(origin, cloneUrl) : undefined
      const known = withOtherNames(context, names, arrival, { event, at: arrival.receivedAt })
      plans.push(
        await means.events.plan({
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
function withCloneUrl({ config }: Means, { source, forge }: Arrival, event: Event): Event {
  const cloneUrl = cloneUrlOf(event.repository, forge, addressOf(source, forge, config.providerHosts))
  return { ...event, repository: { ...event.repository, clone_url: cloneUrl } }
}
