import { readJsonBody } from '../json-body.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child } from '../payload-fields.ts'
import type { Reading, WebhookHeaders } from '../port.ts'
import { type Delivered, type DeliveredFromRepository, nothingRunnable, unreadable } from '../reading.ts'
import { isTest, readDeliveryId, readEventType } from './envelope.ts'
import { readMergeAttempted, readPullRequestCreated, readPullRequestUpdated } from './pull-request.ts'
import { readPullRequestComment } from './pull-request-comment.ts'
import { readPush } from './push.ts'
import { describeRepository, readRepositoryEvent } from './repository.ts'

type Reader = (delivered: DeliveredFromRepository, resource: JsonObject) => Reading

/** The event types that become events. All others are understood and carry nothing runnable. */
const READERS: ReadonlyMap<string, Reader> = new Map([
  ['git.push', readPush],
  ['git.pullrequest.created', readPullRequestCreated],
  ['git.pullrequest.updated', readPullRequestUpdated],
  ['git.pullrequest.merged', readMergeAttempted],
  ['ms.vss-code.git-pullrequest-comment-event', readPullRequestComment],
  ['git.repo.created', readRepositoryEvent('created')],
  ['git.repo.renamed', readRepositoryEvent('renamed')],
])

/** Reads one delivery of Azure DevOps, all of which is in its body. */
export function read(headers: WebhookHeaders, rawBody: Buffer): Reading {
  const body = readJsonBody(headers, rawBody)
  if (!body.ok) return { kind: 'unreadable', eventType: null, reason: body.reason }
  const { payload } = body
  const eventType = readEventType(payload)
  if (eventType === null) return { kind: 'unreadable', eventType, reason: 'The body names no valid eventType.' }

  const delivered: Delivered = {
    provider: 'azure_devops',
    eventType,
    action: null,
    deliveryId: readDeliveryId(payload),
    sender: null,
    payload,
    note: body.note,
  }
  if (isTest(payload)) {
    return nothingRunnable(delivered, null, 'A test from the subscription: the service hook is set up.', 'ping')
  }
  const resource = child(payload, 'resource')
  const repository = describeRepository(payload, repositoryIn(resource))
  const reader = READERS.get(eventType)
  if (reader === undefined) {
    return nothingRunnable(delivered, repository, `No trigger can use ${eventType} events; they need no subscription.`)
  }
  if (!isObject(payload['resource'])) {
    return unreadable(
      delivered,
      'The body holds no resource; set "Resource details to send" to "All" in the subscription.',
    )
  }
  if (repository === null) {
    return unreadable(delivered, 'The event names no repository with its project and an address of its organisation.')
  }
  return reader({ ...delivered, repository }, resource)
}

/** A comment's repository is that of its pull request. */
function repositoryIn(resource: JsonObject): JsonObject {
  return isObject(resource['repository'])
    ? child(resource, 'repository')
    : child(child(resource, 'pullRequest'), 'repository')
}
