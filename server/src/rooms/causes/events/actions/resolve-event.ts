import type { Event } from '@signalbox/contracts/event'
import type { ManifestTrace } from '@signalbox/contracts/events'
import type { Means, RepositoryAccess } from '../means.ts'
import { MANIFEST_PATH, manifestAt, needsAskedHead, settledResult } from '../rules/index.ts'
import { correctResult, markResolved, type PendingEvent, takePending } from '../store/events.ts'
import { settledResultOf } from './admit-events.ts'
import { askForHead } from './ask-for-head.ts'
import { askForMembership } from './ask-for-membership.ts'
import { commitPlan } from './commit-plans.ts'
import type { EventPlan } from './event-plan.ts'
import { matchManifestOf, planResolved, type ResolvedReading, WHICH_COMMIT } from './plan-resolved.ts'
import { completePaths, readManifestOf, withRepository } from './read-repository.ts'
import { mergeTraces } from './trace-plan.ts'

/** The job tries with growing pauses, about two minutes in all; then the known facts decide. */
const MAX_TRIES = 5

/** A repository that cannot be read now: the job is tried again. */
class RepositoryNotReady extends Error {
  override readonly name = 'RepositoryNotReady'
  readonly code = 'events.repository_not_ready'
}

/**
 * Decides what of an event needs its repository. The job calls this at least once for each event; a second call finds
 * the event decided. Everything is committed together at the end, so that a killed job leaves no half.
 */
export async function resolveEvent(means: Means, eventId: string, signal: AbortSignal): Promise<void> {
  const pending = await takePending(means.database.kysely, eventId)
  if (!pending) return
  const { plan, read } = await decide(means, pending, signal)
  if (read.retry && pending.tries < MAX_TRIES) throw new RepositoryNotReady(whyNotReady(read))
  means.failPoints.hit('events.before_commit')
  await commitPlan(means, plan, async (tx, trying) => {
    const result = settledResultOf(trying)
    if (!(await markResolved(tx, eventId, result))) return false
    const whole = await means.above.completeDelivery(tx, {
      deliveryRecordId: pending.deliveryRecordId,
      eventId,
      merge: (before) => mergeTraces(before, trying.trace),
      runIds: trying.starts.map((start) => start.run.id),
      plan: trying,
    })
    const both = whole && settledResult(whole.triggers)
    if (both !== undefined && both !== result) await correctResult(tx, eventId, both)
    return true
  })
  means.failPoints.hit('events.after_commit')
}

function whyNotReady({ membership, trace }: ResolvedReading): string {
  return membership?.state === 'unknown' ? membership.reason : (trace?.reason ?? 'not readable yet')
}

/** The decision that the job would take now, as one plan. The call stores nothing and repeats no failed read. */
export async function foreseeEvent(means: Means, plan: EventPlan): Promise<EventPlan> {
  const { pending, sourceId, deliveryRecordId } = plan
  if (!pending || sourceId === null || deliveryRecordId === null) return plan
  const { triggers: deferredTriggers } = pending
  const asked = { ...plan, sourceId, deliveryRecordId, deferredTriggers, tries: MAX_TRIES }
  const { plan: decided } = await decide(means, asked, AbortSignal.timeout(FORESEE_MS))
  return {
    ...decided,
    starts: [...plan.starts, ...decided.starts],
    cancels: [...plan.cancels, ...decided.cancels],
    refused: plan.refused + decided.refused,
    trace: mergeTraces(plan.trace, decided.trace),
  }
}

/** A person waits for it. */
const FORESEE_MS = 20_000

async function decide(
  means: Means,
  pending: PendingEvent,
  signal: AbortSignal,
): Promise<{ readonly plan: EventPlan; readonly read: ResolvedReading }> {
  const access = await means.above.repositoryOf(pending.sourceId, pending.event)
  means.failPoints.hit('events.before_read')
  const read =
    'refused' in access ? unread(pending.event, access.refused) : await readRepository(means, pending, access, signal)
  const { membership, retry } = await askForMembership(means, pending, { access, read }, signal)
  const asked = { ...read, membership, retry: read.retry || retry }
  return { plan: await planResolved(means, pending, access, asked), read: asked }
}

function unread(event: Event, reason: string): ResolvedReading {
  const commitSha = manifestAt(event)?.commitSha ?? null
  const place = { path: MANIFEST_PATH, commit_sha: commitSha, blob_id: null }
  const trace: ManifestTrace = { ...place, state: 'unreadable', reason, problems: [] }
  return {
    event,
    trace,
    manifest: undefined,
    retry: false,
    pathsUnknownBecause: reason,
    commitUnknownBecause: reason,
  }
}

async function readRepository(
  means: Means,
  pending: PendingEvent,
  access: RepositoryAccess,
  signal: AbortSignal,
): Promise<ResolvedReading> {
  const asked = await askForHead(means.git, access, pending.event, signal)
  if ('reason' in asked) return { ...unread(pending.event, asked.reason), retry: asked.retry }
  if (needsAskedHead(asked.event)) return unread(asked.event, WHICH_COMMIT)
  if (!access.readsFiles) {
    const since = needsAskedHead(pending.event) ? '' : ' any more'
    return unread(asked.event, `The source does not read repositories${since}.`)
  }
  return withRepository(means.git, { ...access.address, signal }, async (open) => {
    const reading = await readManifestOf(means, open, asked.event)
    if (reading.retry && pending.tries < MAX_TRIES) return { ...reading, event: asked.event }
    const only = new Set(pending.deferredTriggers)
    const service = only.size > 0 ? (await means.triggers.matcher()).match(asked.event, access.context, { only }) : []
    const entries = matchManifestOf(means, reading, { event: asked.event, sourceId: pending.sourceId }, access)
    const undecided = [...service, ...entries].some((match) => match.matched && match.pathsUndecided)
    if (!undecided) return { ...reading, event: asked.event }
    const { event, failure } = await completePaths(open, asked.event)
    const retry = reading.retry || failure?.retry === true
    return { ...reading, event, retry, pathsUnknownBecause: failure?.reason }
  })
}
