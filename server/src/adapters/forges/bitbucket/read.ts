import { readJsonBody } from '../json-body.ts'
import type { Reading, WebhookHeaders } from '../port.ts'
import { type Delivered, type DeliveredFromRepository, nothingRunnable, unreadable } from '../reading.ts'
import { readAccount } from './account.ts'
import { deliveryId, eventType } from './headers.ts'
import { readPullRequestEvent } from './pull-request.ts'
import { readPullRequestComment } from './pull-request-comment.ts'
import { readPullRequestReview } from './pull-request-review.ts'
import { readPush } from './push.ts'
import { readRepository, readRepositoryTransfer, readRepositoryUpdated } from './repository.ts'

/** The event keys that become events. All others are understood and carry nothing runnable. */
const READERS: ReadonlyMap<string, (delivered: DeliveredFromRepository) => Reading> = new Map([
  ['repo:push', readPush],
  ['repo:updated', readRepositoryUpdated],
  ['repo:transfer', readRepositoryTransfer],
  ['pullrequest:created', readPullRequestEvent('opened')],
  ['pullrequest:updated', readPullRequestEvent('updated')],
  ['pullrequest:rejected', readPullRequestEvent('closed')],
  ['pullrequest:fulfilled', readPullRequestEvent('merged')],
  ['pullrequest:approved', readPullRequestReview('approved', 'approval')],
  ['pullrequest:unapproved', readPullRequestReview('dismissed', 'approval')],
  ['pullrequest:changes_request_created', readPullRequestReview('changes_requested', 'changes_request')],
  ['pullrequest:changes_request_removed', readPullRequestReview('dismissed', 'changes_request')],
  ['pullrequest:comment_created', readPullRequestComment('created')],
  ['pullrequest:comment_updated', readPullRequestComment('edited')],
  ['pullrequest:comment_deleted', readPullRequestComment('deleted')],
])

/** Reads one delivery of Bitbucket Cloud by its X-Event-Key header and its body. Bitbucket sends no pings. */
export function read(headers: WebhookHeaders, rawBody: Buffer): Reading {
  const type = eventType(headers)
  const body = readJsonBody(headers, rawBody)
  if (!body.ok) return { kind: 'unreadable', eventType: type, reason: body.reason }
  if (type === null) {
    return { kind: 'unreadable', eventType: null, reason: 'The delivery has no valid X-Event-Key header.' }
  }

  const { payload } = body
  const delivered: Delivered = {
    provider: 'bitbucket',
    eventType: type,
    action: null,
    deliveryId: deliveryId(headers),
    sender: readAccount(payload, 'actor'),
    payload,
    note: body.note,
  }
  const repository = readRepository(payload)
  const reader = READERS.get(type)
  if (reader === undefined) {
    const reason = `No trigger can use ${type} events; they need not be ticked at Bitbucket.`
    return nothingRunnable(delivered, repository, reason)
  }
  if (repository === null) return unreadable(delivered, 'The event names no repository as "workspace/slug".')
  return reader({ ...delivered, repository })
}
