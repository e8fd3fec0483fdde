import type { EventPullRequest, PullRequestEnd, REVIEW_ACTIONS } from '@signalbox/contracts/event'
import { isFullName, readBareRef, readSha } from '../git-names.ts'
import type { JsonObject } from '../json-object.ts'
import { child, children, count, flag, id, moment, name, text, webUrl } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, eventOf, oneEvent, severalEvents, unreadable } from '../reading.ts'
import { wordlessReview } from '../wordless-review.ts'
import { readActions } from './merge-request-actions.ts'
import { readAuthor } from './person.ts'

const MAX_LABELS = 100
/**
 * `approval` is one of several that are needed, and `approved` the last of them. GitLab itself takes them back after a
 * push. A review has no time of its own: `updated_at` is that of the merge request.
 */
const REVIEWS: ReadonlyMap<string | null, (typeof REVIEW_ACTIONS)[number]> = new Map([
  ['approval', 'approved'],
  ['approved', 'approved'],
  ['unapproval', 'dismissed'],
  ['unapproved', 'dismissed'],
])

/** `merge_request`: everything that happens to a merge request but comments. One edit may be several actions, and an approval is a review. */
export function readMergeRequestEvent(delivered: DeliveredFromRepository): Reading {
  const { payload } = delivered
  const attributes = child(payload, 'object_attributes')
  const found = readMergeRequest(delivered, attributes)
  if (found === undefined) return unreadable(delivered, 'The event holds no merge request with a number.')
  const review = REVIEWS.get(delivered.action)
  if (review !== undefined) {
    return oneEvent(delivered, {
      ...mergeRequestPlace(found),
      kind: 'pull_request_review',
      action: review,
      comment: wordlessReview(delivered.sender),
    })
  }
  const [first, ...others] = readActions(payload, delivered.action)
  const describe = (action: typeof first) =>
    eventOf(delivered, {
      ...mergeRequestPlace(found),
      kind: 'pull_request',
      action,
      before: action === 'synchronized' ? (readSha(attributes['oldrev']) ?? null) : null,
      occurred_at: moment(attributes, 'updated_at'),
    })
  return severalEvents(delivered, [describe(first), ...others.map(describe)])
}

/** Where the merge request is found: its fetchable ref, the branch it wants to enter and the commit of its head. */
export function mergeRequestPlace(mergeRequest: EventPullRequest) {
  return {
    pull_request: mergeRequest,
    ref: `refs/merge-requests/${mergeRequest.number}/head`,
    branch: mergeRequest.base.ref,
    after: mergeRequest.head.sha,
  }
}

/** From `object_attributes` or, for a comment, from `merge_request`; undefined without a number. */
export function readMergeRequest(
  { payload, sender, repository }: DeliveredFromRepository,
  attributes: JsonObject,
): EventPullRequest | undefined {
  const number = count(attributes, 'iid')
  if (number === null) return undefined
  return {
    number,
    title: text(attributes, 'title') ?? '',
    draft: flag(attributes, 'draft') ?? flag(attributes, 'work_in_progress'),
    labels: readLabels(payload, attributes),
    head: {
      ref: readBareRef(attributes['source_branch'], 'heads'),
      sha: readSha(child(attributes, 'last_commit')['id']) ?? null,
      repository: fullNameOf(child(attributes, 'source')),
    },
    base: {
      ref: readBareRef(attributes['target_branch'], 'heads'),
      sha: null,
      repository: fullNameOf(child(attributes, 'target')) ?? repository.full_name,
    },
    from_fork: isFromFork(attributes),
    merged: readMerged(attributes),
    author: readAuthor(attributes, sender),
    web_url: webUrl(attributes, 'url'),
  }
}

function readLabels(payload: JsonObject, attributes: JsonObject): string[] {
  const holder = Array.isArray(attributes['labels']) ? attributes : payload
  return children(holder, 'labels')
    .slice(0, MAX_LABELS)
    .map((label) => name(label, 'title'))
    .filter((label) => label !== null)
}

function fullNameOf(project: JsonObject): PullRequestEnd['repository'] {
  const fullName = project['path_with_namespace']
  return typeof fullName === 'string' && isFullName(fullName) ? fullName : null
}

/** From a fork unless both projects are named and are one: the source of a deleted fork is null, and unknown means fork. */
export function isFromFork(mergeRequest: JsonObject): boolean {
  const source = id(mergeRequest, 'source_project_id')
  return source === null || source !== id(mergeRequest, 'target_project_id')
}

/** `locked` is a merge request that is being merged. */
function readMerged(attributes: JsonObject): boolean | null {
  switch (attributes['state']) {
    case 'merged':
      return true
    case 'opened':
    case 'closed':
    case 'locked':
      return false
    default:
      return null
  }
}
