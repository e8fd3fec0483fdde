import { readJsonBody } from '../json-body.ts'
import { name } from '../payload-fields.ts'
import { readPerson } from '../person.ts'
import type { Reading, WebhookHeaders } from '../port.ts'
import { type Delivered, type DeliveredFromRepository, nothingRunnable, unreadable } from '../reading.ts'
import { type NoticeKinds, readRefNotice } from '../ref-notice.ts'
import { readCheck } from './check.ts'
import { readDeployment, readDeploymentStatus } from './deployment.ts'
import { readDispatch } from './dispatch.ts'
import { deliveryId, eventType } from './headers.ts'
import { readMergeGroup } from './merge-group.ts'
import { readPullRequestEvent } from './pull-request.ts'
import { readIssueComment, readReviewComment } from './pull-request-comment.ts'
import { readReview } from './pull-request-review.ts'
import { readPush } from './push.ts'
import { readRelease } from './release.ts'
import { readRepository, readRepositoryEvent } from './repository.ts'

/** GitHub sends a push of the same meaning for each of them. */
const NOTICES: NoticeKinds = { created: { branch: 'ref', tag: 'ref' }, deleted: { branch: 'ref', tag: 'ref' } }

/** The event types that become events. All others are understood and carry nothing runnable. */
const READERS: ReadonlyMap<string, (delivered: DeliveredFromRepository) => Reading> = new Map([
  ['push', readPush],
  ['pull_request', readPullRequestEvent],
  ['issue_comment', readIssueComment],
  ['pull_request_review_comment', readReviewComment],
  ['pull_request_review', readReview],
  ['merge_group', readMergeGroup],
  ['deployment', readDeployment],
  ['deployment_status', readDeploymentStatus],
  ['check_run', readCheck],
  ['check_suite', readCheck],
  ['repository_dispatch', readDispatch],
  ['release', readRelease],
  ['create', (delivered) => readRefNotice(delivered, NOTICES)],
  ['delete', (delivered) => readRefNotice(delivered, NOTICES)],
  ['repository', readRepositoryEvent],
])

/** Reads one delivery of GitHub by its X-GitHub-Event header and its body. */
export function read(headers: WebhookHeaders, rawBody: Buffer): Reading {
  const type = eventType(headers)
  const body = readJsonBody(headers, rawBody)
  if (!body.ok) return { kind: 'unreadable', eventType: type, reason: body.reason }
  if (type === null) {
    return { kind: 'unreadable', eventType: null, reason: 'The delivery has no valid X-GitHub-Event header.' }
  }

  const { payload } = body
  const delivered: Delivered = {
    provider: 'github',
    eventType: type,
    action: name(payload, 'action'),
    deliveryId: deliveryId(headers),
    sender: readPerson(payload, 'sender'),
    payload,
    note: body.note,
  }
  const repository = readRepository(payload)
  if (type === 'ping') return nothingRunnable(delivered, repository, 'A ping: the webhook is set up.', 'ping')
  const reader = READERS.get(type)
  if (reader === undefined) {
    return nothingRunnable(
      delivered,
      repository,
      `No trigger can use ${type} events; they need not be ticked at GitHub.`,
    )
  }
  if (repository === null) return unreadable(delivered, 'The event names no repository as "owner/name".')
  return reader({ ...delivered, repository })
}
