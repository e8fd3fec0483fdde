import { readRepository, readRepositoryEvent } from '../github/repository.ts'
import { readJsonBody } from '../json-body.ts'
import { name } from '../payload-fields.ts'
import { readPerson } from '../person.ts'
import type { Reading, WebhookHeaders } from '../port.ts'
import { type Delivered, type DeliveredFromRepository, nothingRunnable, unreadable } from '../reading.ts'
import { readRefNotice } from '../ref-notice.ts'
import type { Dialect } from './dialect.ts'
import { deliveryId, eventType } from './headers.ts'
import { readPullRequestEvent } from './pull-request.ts'
import { readIssueComment } from './pull-request-comment.ts'
import { REVIEWS, readReview } from './pull-request-review.ts'
import { readPush } from './push.ts'
import { readRelease } from './release.ts'

type Reader = (delivered: DeliveredFromRepository, dialect: Dialect) => Reading

/**
 * The event types that become events. All others are understood and carry nothing runnable. Reviews come as
 * `pull_request_approved`, `pull_request_rejected` and `pull_request_comment`.
 */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['push', readPush],
  ['create', (delivered, { notices }) => readRefNotice(delivered, notices)],
  ['delete', (delivered, { notices }) => readRefNotice(delivered, notices)],
  ['pull_request', readPullRequestEvent],
  ['issue_comment', readIssueComment],
  ...REVIEWS.map((type): [string, Reader] => [type, readReview]),
  ['release', readRelease],
  ['repository', readRepositoryEvent],
])

/** Reads one delivery by the event type of its dialect's headers and its body. */
export function read(dialect: Dialect, headers: WebhookHeaders, rawBody: Buffer): Reading {
  const type = eventType(dialect, headers)
  const body = readJsonBody(headers, rawBody)
  if (!body.ok) return { kind: 'unreadable', eventType: type, reason: body.reason }
  if (type === null) {
    const [{ title }] = dialect.eventTypes
    return { kind: 'unreadable', eventType: null, reason: `The delivery has no valid ${title} header.` }
  }

  const { payload } = body
  const delivered: Delivered = {
    provider: dialect.id,
    eventType: type,
    action: name(payload, 'action'),
    deliveryId: deliveryId(dialect, headers),
    sender: readPerson(payload, 'sender'),
    payload,
    note: body.note,
  }
  const repository = readRepository(payload)
  const reader = READERS.get(type)
  if (reader === undefined) {
    const reason = `No trigger can use ${type} events; they need not be ticked at ${dialect.title}.`
    return nothingRunnable(delivered, repository, reason)
  }
  if (repository === null) return unreadable(delivered, 'The event names no repository as "owner/name".')
  return reader({ ...delivered, repository }, dialect)
}
