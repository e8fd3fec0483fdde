import type { Event } from '@signalbox/contracts/event'
import type { MatchContext, Membership, TriggerMatch } from '#rooms/causes/triggers'
import type { Means, RepositoryAccess, RepositoryRefusal } from '../means.ts'
import { needsAskedHead, whyNoCommit } from '../rules/index.ts'
import type { PendingEvent } from '../store/events.ts'
import type { EventPlan, PlanRequest } from './event-plan.ts'
import { type PlannedMatches, planMatches } from './plan-matches.ts'
import { planOverride } from './plan-override.ts'
import type { RepositoryReading } from './read-repository.ts'
import { traceEvent } from './trace-plan.ts'

/** The facts learnt about the repository of an event that waited for them. */
export interface ResolvedReading extends RepositoryReading {
  /** Whether the author of a comment may write, as far as the provider was asked. */
  readonly membership?: Membership | undefined
  /** With its commit and the whole list of changed files, where they could be had. */
  readonly event: Event
  readonly commitUnknownBecause?: string | undefined
  readonly pathsUnknownBecause?: string | undefined
}

export const WHICH_COMMIT =
  'The commit of the pull request is unknown: no earlier event named it, and a fork may have moved on since.'

/** By today's triggers; what could not be read counts as unknown, and unknown files fit every `paths`. */
export async function planResolved(
  means: Means,
  pending: PendingEvent,
  access: RepositoryAccess | RepositoryRefusal,
  read: ResolvedReading,
): Promise<EventPlan> {
  const { eventId, sourceId, deliveryRecordId, replayOf, receivedAt } = pending
  const { event } = read
  const gone: MatchContext = { sourceId, visibleTo: () => false }
  const request: PlanRequest = {
    event,
    matcher: await means.triggers.matcher(),
    context: {
      ...(access.context ?? gone),
      pathsUnknownBecause: read.pathsUnknownBecause,
      membership: read.membership,
    },
    poster: null,
    deliveryRecordId,
    replayOf,
    readsRepository: false,
    headUnasked: null,
    commitFault: whyNoCommit(event, read.commitUnknownBecause ?? WHICH_COMMIT),
    checkoutCredentialRef: 'refused' in access ? null : access.checkoutCredentialRef,
    receivedAt,
  }
  const entries =
    'refused' in access ? [] : matchManifestOf(means, read, { event, sourceId, membership: read.membership }, access)
  const parts = await planLayers(means, request, pending, entries)
  return {
    eventId,
    event,
    sourceId,
    deliveryRecordId,
    replayOf,
    vouched: true,
    receivedAt,
    starts: parts.flatMap((part) => part.starts),
    cancels: parts.flatMap((part) => part.cancels),
    refused: parts.reduce((sum, part) => sum + part.refused, 0),
    pending: null,
    repeats: null,
    commented: parts.flatMap((part) => part.commented ?? []),
    trace: traceEvent(
      eventId,
      event,
      parts.flatMap((part) => part.traces),
      read.trace,
    ),
  }
}

async function planLayers(
  means: Means,
  request: PlanRequest,
  { eventId, event: asItCame, deferredTriggers }: PendingEvent,
  entries: readonly TriggerMatch[],
): Promise<readonly PlannedMatches[]> {
  const { event, matcher, context } = request
  // An override decides alone when the delivery comes; an override made since applies only to later events. Only where
  // the commit had to be asked for, nothing was decided then.
  if (needsAskedHead(asItCame)) {
    const override = await planOverride(means, request, eventId, matcher.match(event, context))
    if (override.decides) return [override.planned]
  }
  const only = new Set(deferredTriggers)
  const service = deferredTriggers.length === 0 ? [] : matcher.match(event, context, { only })
  const defers = 'nothing'
  return [
    await planMatches(means, request, eventId, { layer: 'repository_manifest', matches: entries, defers }),
    await planMatches(means, request, eventId, { layer: 'service_trigger', matches: service, defers }),
  ]
}

export function matchManifestOf(
  means: Means,
  { manifest }: RepositoryReading,
  { sourceId, event, membership }: Pick<PendingEvent, 'event' | 'sourceId'> & Pick<ResolvedReading, 'membership'>,
  { teamPath, owner }: RepositoryAccess,
): readonly TriggerMatch[] {
  return manifest ? means.triggers.matchManifest(manifest, event, { sourceId, teamPath, owner, membership }) : []
}
