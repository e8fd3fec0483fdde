import type { Event } from '@signalbox/contracts/event'
import type { ManifestTrace } from '@signalbox/contracts/events'
import type { GitReader } from '#adapters/git'
import type { Kit } from '#platform/room'
import type { MatchContext, TriggerMatch } from '#rooms/causes/triggers'
import type { EventMeans, RepositoryAccess, RepositoryRefusal, SourcePort } from '../index.ts'
import { completeFromAsked, MANIFEST_PATH, manifestAt, needsAskedHead } from '../rules/index.ts'
import { markResolved, type PendingEvent, takePending } from '../store/events.ts'
import { commitPlan } from './commit-plans.ts'
import type { EventPlan, PlanRequest } from './plan-event.ts'
import { planMatches } from './plan-matches.ts'
import { completePaths, type RepositoryReading, readManifestOf, withRepository } from './read-repository.ts'
import { mergeTraces, traceEvent } from './trace-plan.ts'

/** Tries with growing pauses, about two minutes in all; then what is known decides. */
const MAX_TRIES = 5

export interface Resolving {
  readonly git: GitReader
  readonly sources: SourcePort
}

/** A repository that cannot be read now: the job is tried again. */
class RepositoryNotReady extends Error {
  override readonly name = 'RepositoryNotReady'
  readonly code = 'events.repository_not_ready'
}

/**
 * Decides what of an event needs its repository. Called at least once for each; whoever comes second finds it decided.
 * Nothing is committed before all is known, so that a killed job leaves no half.
 */
export async function resolveEvent(
  kit: Kit,
  needs: EventMeans,
  { git, sources }: Resolving,
  eventId: string,
  signal: AbortSignal,
): Promise<void> {
  const pending = await takePending(kit.database.kysely, eventId)
  if (!pending) return
  const { plan, read } = await decide(kit, needs, { git, sources }, pending, signal)
  if (read.retry && pending.tries < MAX_TRIES) throw new RepositoryNotReady(read.trace?.reason ?? 'not readable yet')
  kit.failPoints.hit('events.before_commit')
  const committed = await commitPlan(kit, needs.runs, plan, async (tx, trying) => {
    if (!(await markResolved(tx, eventId))) return false
    await sources.completeDelivery(tx, {
      deliveryRecordId: pending.deliveryRecordId,
      eventId,
      merge: (before) => mergeTraces(before, trying.trace, new Set(pending.deferredTriggers)),
      runIds: trying.starts.map((start) => start.run.id),
    })
    return true
  })
  kit.failPoints.hit('events.after_commit')
  if (committed && committed.starts.length > 0) needs.onRunsQueued()
}

/** What the job of a plan would decide now, as one plan; nothing is stored, and nothing tried again. */
export async function foreseeEvent(
  kit: Kit,
  needs: EventMeans,
  resolving: Resolving,
  plan: EventPlan,
): Promise<EventPlan> {
  const { pending, sourceId, deliveryRecordId } = plan
  if (!pending || sourceId === null || deliveryRecordId === null) return plan
  const { triggers: deferredTriggers } = pending
  const asked = { ...plan, sourceId, deliveryRecordId, deferredTriggers, tries: MAX_TRIES }
  const { plan: decided } = await decide(kit, needs, resolving, asked, AbortSignal.timeout(FORESEE_MS))
  return {
    ...decided,
    starts: [...plan.starts, ...decided.starts],
    cancels: [...plan.cancels, ...decided.cancels],
    refused: plan.refused + decided.refused,
    trace: mergeTraces(plan.trace, decided.trace, new Set(deferredTriggers)),
  }
}

/** A person waits for it. */
const FORESEE_MS = 20_000

async function decide(
  kit: Kit,
  needs: EventMeans,
  { git, sources }: Resolving,
  pending: PendingEvent,
  signal: AbortSignal,
): Promise<{ readonly plan: EventPlan; readonly read: Read }> {
  const access = await sources.repositoryOf(pending.sourceId, pending.event)
  kit.failPoints.hit('events.before_read')
  const read =
    'refused' in access
      ? unread(pending.event, access.refused)
      : await readRepository(kit, needs, git, pending, access, signal)
  return { plan: await planResolved(kit, needs, pending, access, read), read }
}

interface Read extends RepositoryReading {
  /** With the whole list of changed files, where it could be had. */
  readonly event: Event
  readonly pathsUnknownBecause?: string | undefined
}

function unread(event: Event, reason: string): Read {
  const commitSha = manifestAt(event)?.commitSha ?? null
  const place = { path: MANIFEST_PATH, commit_sha: commitSha, blob_id: null }
  const trace: ManifestTrace = { ...place, state: 'unreadable', reason, problems: [] }
  return { event, trace, manifest: undefined, retry: false, pathsUnknownBecause: reason }
}

const WHICH_COMMIT =
  'Which commit of the pull request is meant cannot be told: no event named it before, and a fork may have moved on since.'

async function readRepository(
  kit: Kit,
  needs: EventMeans,
  git: GitReader,
  pending: PendingEvent,
  access: RepositoryAccess,
  signal: AbortSignal,
): Promise<Read> {
  const asked = await askForHead(access, pending.event, signal)
  if ('reason' in asked) return { ...unread(pending.event, asked.reason), retry: asked.retry }
  if (needsAskedHead(asked.event) && !manifestAt(asked.event)) return unread(asked.event, WHICH_COMMIT)
  return withRepository(git, { ...access.address, signal }, async (open) => {
    const reading = await readManifestOf(kit, needs.triggers, open, asked.event)
    if (reading.retry && pending.tries < MAX_TRIES) return { ...reading, event: asked.event }
    const only = new Set(pending.deferredTriggers)
    const service = only.size > 0 ? (await needs.triggers.matcher()).match(asked.event, access.context, { only }) : []
    const entries = matchesOf(needs, reading, { event: asked.event, sourceId: pending.sourceId }, access)
    const undecided = [...service, ...entries].some((match) => match.matched && match.pathsUndecided)
    if (!undecided) return { ...reading, event: asked.event }
    const { event, failure } = await completePaths(open, asked.event)
    const retry = reading.retry || failure?.retry === true
    return { ...reading, event, retry, pathsUnknownBecause: failure?.reason }
  })
}

type Asked = { readonly event: Event } | { readonly reason: string; readonly retry: boolean }

/** The event with the commit that its provider left out, where there is an API to ask. */
async function askForHead(access: RepositoryAccess, event: Event, signal: AbortSignal): Promise<Asked> {
  const number = event.pull_request?.number
  if (number === undefined || !needsAskedHead(event) || !access.findPullRequest) return { event }
  const answer = await access.findPullRequest(number, signal)
  switch (answer.outcome) {
    case 'found':
      return { event: completeFromAsked(event, answer.value) }
    case 'not_found':
      return { reason: 'The provider does not show the pull request to the credential of the source.', retry: false }
    case 'failed':
      return { reason: answer.reason, retry: answer.retry }
  }
}

function matchesOf(
  needs: EventMeans,
  { manifest }: RepositoryReading,
  pending: Pick<PendingEvent, 'event' | 'sourceId'>,
  access: RepositoryAccess,
): readonly TriggerMatch[] {
  if (!manifest) return []
  const { sourceId, event } = pending
  return needs.triggers.matchManifest(manifest, event, { sourceId, teamPath: access.teamPath, owner: access.owner })
}

/** By today's triggers; what could not be read counts as unknown, and unknown files fit every `paths`. */
async function planResolved(
  kit: Kit,
  needs: EventMeans,
  pending: PendingEvent,
  access: RepositoryAccess | RepositoryRefusal,
  read: Read,
): Promise<EventPlan> {
  const { eventId, sourceId, deliveryRecordId, replayOf, receivedAt, deferredTriggers } = pending
  const { event } = read
  const matcher = await needs.triggers.matcher()
  const gone: MatchContext = { sourceId, visibleTo: () => false }
  const context = { ...(access.context ?? gone), pathsUnknownBecause: read.pathsUnknownBecause }
  const request: PlanRequest = {
    event,
    matcher,
    context,
    poster: null,
    deliveryRecordId,
    replayOf,
    readsRepository: false,
    checkoutCredentialRef: 'refused' in access ? null : access.checkoutCredentialRef,
    receivedAt,
  }
  const only = new Set(deferredTriggers)
  const service = deferredTriggers.length === 0 ? [] : matcher.match(event, context, { only })
  const entries = 'refused' in access ? [] : matchesOf(needs, read, { event, sourceId }, access)
  // An override decides alone when the delivery comes; one that was made since is for what comes next.
  const parts = [
    await planMatches(kit, needs, request, eventId, {
      layer: 'repository_manifest',
      matches: entries,
      defers: 'nothing',
    }),
    await planMatches(kit, needs, request, eventId, {
      layer: 'service_trigger',
      matches: service,
      defers: 'nothing',
    }),
  ]
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
    trace: traceEvent(
      eventId,
      event,
      parts.flatMap((part) => part.traces),
      read.trace,
    ),
  }
}
