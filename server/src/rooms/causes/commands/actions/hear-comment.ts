import type { CommentPosted } from '#rooms/causes/sources'
import type { Means } from '../means.ts'
import { isWorthReading, PERSON_LIMIT, SOURCE_LIMIT, windowStart } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { ANSWER_FLOOD_JOB, CARRY_OUT_JOB, type FloodAnswer } from './command-jobs.ts'

/**
 * Keeps a comment that may hold a command, with the job that asks the provider. A comment that was heard before changes
 * nothing. What is above a limit is counted; the first one of a window is answered.
 */
export async function hearComment(means: Means, posted: CommentPosted): Promise<void> {
  const heard = readHeard(means, posted)
  const { words, is_one_line: isOneLine, is_matched: isMatched } = posted
  if (!heard || !isWorthReading({ words, isOneLine, isMatched })) return
  const isAdmitted = await means.database.transaction(async (tx) => {
    if (await store.isHeard(tx, heard)) return true
    const refused = await countAll(means, tx, heard)
    if (refused === 0) {
      const isNew = await store.insertHeard(tx, heard)
      if (isNew) await means.jobs.add(tx, CARRY_OUT_JOB, { id: heard.id }, { key: heard.id })
      return true
    }
    if (refused === 1) await means.jobs.add(tx, ANSWER_FLOOD_JOB, floodAnswerOf(heard), { key: heard.id })
    return false
  })
  if (!isAdmitted) means.commandMetrics.decided('none', 'above_limit')
}

function readHeard(means: Means, posted: CommentPosted): store.HeardComment | undefined {
  const { event } = posted
  const { comment, pull_request: pullRequest, repository } = event
  if (!comment || comment.id === null || !pullRequest) return undefined
  return {
    id: means.ids.next(),
    sourceId: posted.source_id,
    repositoryKey: repository.id ?? repository.full_name.toLowerCase(),
    repository: repository.full_name,
    pullRequest: pullRequest.number,
    commentId: comment.id,
    deliveryRecordId: posted.delivery_record_id,
    eventId: posted.event_id,
    event,
    bodySha256: posted.body_sha256,
    authorId: comment.author?.id ?? null,
    authorLogin: comment.author?.login ?? null,
    receivedAt: new Date(posted.received_at),
  }
}

type Counted = Parameters<typeof store.countCommand>[0]

/** How many are above the first limit that is reached; 0: none is. */
async function countAll(means: Means, tx: Counted, heard: store.HeardComment): Promise<number> {
  const { sourceId, repositoryKey, authorId, authorLogin } = heard
  const now = means.clock.now()
  const person = `${repositoryKey} ${authorId ?? authorLogin ?? ''}`
  const own = await store.countCommand(tx, {
    sourceId,
    counted: person,
    windowStart: windowStart(now, PERSON_LIMIT.windowMs),
    limit: PERSON_LIMIT.count,
  })
  // One person who floods takes nobody else's place.
  if (own > 0) return own
  return await store.countCommand(tx, {
    sourceId,
    counted: '',
    windowStart: windowStart(now, SOURCE_LIMIT.windowMs),
    limit: SOURCE_LIMIT.count,
  })
}

function floodAnswerOf({ sourceId, repository, pullRequest, commentId }: store.HeardComment): FloodAnswer {
  return { sourceId, repository, number: pullRequest, commentId }
}
