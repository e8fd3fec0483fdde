import { readJsonBody } from '../json-body.ts'
import { child } from '../payload-fields.ts'
import type { Reading, WebhookHeaders } from '../port.ts'
import { type Delivered, nothingRunnable, unreadable } from '../reading.ts'
import { deliveryId, eventType } from './headers.ts'
import { isPullRequestEvent, readPullRequestEvent } from './pull-request.ts'
import { readPullRequestComment } from './pull-request-comment.ts'
import { readPullRequestReview } from './pull-request-review.ts'
import { readRefsChanged } from './push.ts'
import { describeRepository, NO_REPOSITORY, readRepositoryModified } from './repository.ts'
import { readUser } from './user.ts'

/** The event keys that become events, beside those of pull requests. All others carry nothing runnable. */
const READERS: ReadonlyMap<string, (delivered: Delivered) => Reading> = new Map([
  ['repo:refs_changed', readPush],
  ['repo:modified', readRepositoryModified],
  ['pr:reviewer:approved', readPullRequestReview('approved')],
  ['pr:reviewer:unapproved', readPullRequestReview('dismissed')],
  ['pr:reviewer:changes_requested', readPullRequestReview('changes_requested')],
  // The name of the same event before version 8.
  ['pr:reviewer:needs_work', readPullRequestReview('changes_requested')],
  ['pr:comment:added', readPullRequestComment('created')],
  ['pr:comment:edited', readPullRequestComment('edited')],
  ['pr:comment:deleted', readPullRequestComment('deleted')],
])

/** Reads one delivery of Bitbucket Data Center by its X-Event-Key header and its body. */
export function read(headers: WebhookHeaders, rawBody: Buffer): Reading {
  const type = eventType(headers)
  const body = readJsonBody(headers, rawBody)
  if (!body.ok) return { kind: 'unreadable', eventType: type, reason: body.reason }
  if (type === null) {
    return { kind: 'unreadable', eventType: null, reason: 'The delivery has no valid X-Event-Key header.' }
  }

  const { payload } = body
  const delivered: Delivered = {
    provider: 'bitbucket_datacenter',
    eventType: type,
    action: null,
    deliveryId: deliveryId(headers),
    sender: readUser(payload, 'actor'),
    payload,
    note: body.note,
  }
  if (type === 'diagnostics:ping') {
    return nothingRunnable(delivered, null, 'A test of the connection: the webhook is set up.', 'ping')
  }
  const reader = isPullRequestEvent(type) ? readPullRequestEvent : READERS.get(type)
  if (reader !== undefined) return reader(delivered)
  const reason = `No trigger can use ${type} events; they need not be ticked at Bitbucket.`
  return nothingRunnable(delivered, repositoryOf(delivered), reason)
}

function readPush(delivered: Delivered): Reading {
  const repository = describeRepository(child(delivered.payload, 'repository'))
  return repository === null ? unreadable(delivered, NO_REPOSITORY) : readRefsChanged({ ...delivered, repository })
}

/** Wherever an event that nothing can use names its repository. */
function repositoryOf({ payload }: Delivered) {
  const target = child(child(payload, 'pullRequest'), 'toRef')
  return describeRepository(child(payload, 'repository')) ?? describeRepository(child(target, 'repository'))
}
