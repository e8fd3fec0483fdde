import type { ForgeAnswer, ForgeComments, ForgeConnection } from '#adapters/forges'
import { sha256 } from '#platform/crypto'
import type { ToldSource } from '#rooms/causes/sources'
import type { Means } from '../means.ts'
import type { ReportOutcome } from '../metrics.ts'
import { nextTry, readSaidParts, writeComment } from '../rules/index.ts'
import { type CommentJob, comeBackToComment } from '../store/report-jobs.ts'
import {
  giveUpComment,
  keepCommentId,
  listCommented,
  lockComment,
  noteCreating,
  readSaid,
  releaseComment,
  reserveComment,
  type StickyComment,
} from '../store/sticky-comments.ts'
import { pageOf } from './page-of.ts'
import { withinTime } from './within-time.ts'

/** Longer than the calls of one writing, which therefore end first. */
const RESERVED_MS = 15_000
const BUSY_MS = 1_000
/** A comment is edited at most once in this time, whatever happens to its runs. */
const PACE_MS = 60_000
const MAX_RUNS = 200
/** Runs that stand in the comment are looked at again, as word of them may be lost. */
const FIRST_LOOK_MS = 120_000
const LAST_LOOK_MS = 3_600_000

interface DueComment {
  readonly job: CommentJob
  readonly source: ToldSource
  readonly comments: ForgeComments
  readonly baseUrl: string
}

/**
 * Writes the comment of a pull request as things stand now. One process at a time writes it, at most once a minute. Called
 * at least once: what the comment says already is not written again.
 */
export async function refreshCommentNow(means: Means, job: CommentJob, signal: AbortSignal): Promise<void> {
  const db = means.database.kysely
  const source = await means.sources.findTold(db, job.sourceId)
  const comments = source && means.forges.find(source.provider)?.comments
  if (!source || !comments || source.baseUrl === undefined || source.checkoutCredentialRef === null) {
    const reason = 'The source, its credential or its address is gone, or its provider has no comments.'
    if (source) await giveUpComment(db, job, reason, means.clock.now())
    return means.log.debug({ source: job.sourceId, reason }, 'a comment is not written')
  }
  const due: DueComment = { job, source, comments, baseUrl: source.baseUrl }
  const paused = means.pauses.until(source.id)
  if (paused) return tryAgain(means, due, { earliest: paused })
  const now = means.clock.now()
  const heldUntil = new Date(now.getTime() + RESERVED_MS)
  const reserved = await means.database.transaction(async (tx) => {
    const stored = await lockComment(tx, job, crypto.randomUUID())
    if (stored.heldUntil !== null && stored.heldUntil > now) return { waitUntil: new Date(now.getTime() + BUSY_MS) }
    const next = new Date((stored.toldAt?.getTime() ?? 0) + PACE_MS)
    if (next > now) return { waitUntil: next }
    await reserveComment(tx, job, heldUntil)
    return { stored }
  })
  if ('waitUntil' in reserved) return comeBack(means, job, reserved.waitUntil)
  await write(means, due, { stored: reserved.stored, heldUntil }, signal)
}

interface Held {
  readonly stored: StickyComment
  readonly heldUntil: Date
}

async function write(means: Means, due: DueComment, { stored, heldUntil }: Held, signal: AbortSignal): Promise<void> {
  const { job, source } = due
  const db = means.database.kysely
  // Not before it is reserved: what happens from now on is written by a job of its own.
  const { body, isEmpty, waits } = await compose(means, due, stored)
  const digest = sha256(body).toString('hex')
  const isThere = stored.commentId !== null || stored.creating
  if (digest === stored.told || (isEmpty && !isThere)) {
    await releaseComment(db, job, heldUntil, { told: stored.told })
    return waits === undefined ? undefined : lookAgain(means, job, waits)
  }
  means.failPoints.hit('reports.before_comment')
  const answer = await withinTime(means, signal, (ends) => call(means, due, { stored, body }, ends))
  means.failPoints.hit('reports.after_comment')
  const toldAt = means.clock.now()
  await releaseComment(db, job, heldUntil, answer.outcome === 'found' ? { told: digest, toldAt } : { told: null })
  switch (answer.outcome) {
    case 'found':
      means.pauses.answered(source.id)
      means.reportMetrics.commented(source.provider, 'reported')
      return waits === undefined ? undefined : lookAgain(means, job, waits)
    case 'not_found':
      means.pauses.answered(source.id)
      return giveUp(means, due, 'refused', GONE)
    case 'failed':
      if (!answer.retry) return giveUp(means, due, 'refused', answer.reason)
      means.pauses.failed(source.id)
      return tryAgain(means, due, { reason: answer.reason, after: answer.retryAfterMs })
  }
}

const GONE = 'The provider does not show the pull request to the credential, or somebody deleted the comment twice.'

async function compose(means: Means, { job, comments }: DueComment, { marker }: StickyComment) {
  const db = means.database.kysely
  const ids = await listCommented(db, job, MAX_RUNS)
  const standings = await Promise.all(ids.map((id) => means.runs.findStanding(db, id)))
  const runs = standings.flatMap((run) =>
    run
      ? [{ run, pipeline: run.pipeline, scope: run.scope, commitSha: run.commitSha, url: pageOf(means, run.id) }]
      : [],
  )
  const said = readSaidParts(await readSaid(db, job))
  const isEmpty = runs.length === 0 && said.notes.length === 0 && said.answers.length === 0
  return {
    body: writeComment({ runs, ...said, marker, maxLength: comments.maxLength }),
    isEmpty,
    /** The newest run that has not ended. */
    waits: standings.find((run) => run !== undefined && run.finishedAt === null)?.id,
  }
}

/** Makes the comment, or changes it. Where a call that made one may have been cut, it is looked for first. */
async function call(
  means: Means,
  { job, source, comments, baseUrl }: DueComment,
  { stored, body }: { readonly stored: StickyComment; readonly body: string },
  ends: AbortSignal,
): Promise<ForgeAnswer<null>> {
  const db = means.database.kysely
  const place = { repository: job.repository, number: job.number }
  // Kept outside: the work is repeated where a token was refused.
  let { commentId, creating, recreatedAt } = stored
  async function create(connection: ForgeConnection): Promise<ForgeAnswer<null>> {
    await noteCreating(db, job, recreatedAt)
    creating = true
    const made = await comments.create(connection, place, body)
    if (made.outcome !== 'found') return made
    commentId = made.value
    await keepCommentId(db, job, commentId)
    return { outcome: 'found', value: null }
  }
  const { teamPath, checkoutCredentialRef: ref } = source
  const wish = { ref, teamPath, repository: job.repository, uses: ['comments'], baseUrl } as const
  return await means.gitApps.call(wish, ends, async (token) => {
    const connection = { baseUrl, token, signal: ends }
    if (commentId === null && creating) {
      const found = await comments.findByMarker(connection, place, stored.marker)
      if (found.outcome === 'failed') return found
      if (found.outcome === 'found') {
        commentId = found.value.commentId
        await keepCommentId(db, job, commentId)
      }
    }
    if (commentId === null) return await create(connection)
    const changed = await comments.update(connection, place, commentId, body)
    // Somebody deleted it: once it is made anew, in case that was a mistake.
    if (changed.outcome !== 'not_found' || recreatedAt !== null) return changed
    recreatedAt = means.clock.now()
    return await create(connection)
  })
}

async function comeBack(means: Means, job: CommentJob, runAt: Date): Promise<void> {
  await comeBackToComment(means, means.database.kysely, job, { runAt, why: 'again' })
}

/** Ever more seldom: as much later again as the time that has passed since the look began. */
async function lookAgain(means: Means, job: CommentJob, runId: string): Promise<void> {
  const now = means.clock.now().getTime()
  const pause = Math.min(Math.max(now - Date.parse(job.since), FIRST_LOOK_MS), LAST_LOOK_MS)
  means.log.trace({ run: runId }, 'a comment looks again where its runs stand')
  await comeBackToComment(means, means.database.kysely, job, { runAt: new Date(now + pause), why: 'look' })
}

interface Again {
  readonly earliest?: Date
  readonly reason?: string
  readonly after?: number | undefined
}

async function tryAgain(means: Means, due: DueComment, again: Again): Promise<void> {
  const { earliest, reason = 'The provider failed call after call.', after = 0 } = again
  const now = means.clock.now()
  const next = nextTry(new Date(due.job.since), now)
  if (!next) return giveUp(means, due, 'given_up', reason)
  if (earliest === undefined) means.reportMetrics.commented(due.source.provider, 'retried')
  const soonest = Math.max(next.getTime(), earliest?.getTime() ?? 0, now.getTime() + after)
  await comeBack(means, due.job, new Date(soonest))
}

async function giveUp(
  means: Means,
  { job, source }: DueComment,
  outcome: Extract<ReportOutcome, 'given_up' | 'refused'>,
  reason: string,
): Promise<void> {
  await giveUpComment(means.database.kysely, job, reason, means.clock.now())
  means.reportMetrics.commented(source.provider, outcome)
  const { repository, number } = job
  means.log.warn({ source: source.id, repository, number, reason }, 'the comment of a pull request cannot be written')
}
