import type { EventPullRequest, PullRequestAction, PullRequestEnd } from '@signalbox/contracts/event'
import { isRef, readBareRef, readSha } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, children, count, flag, id, moment, name, text, webUrl } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type Delivered, type DeliveredFromRepository, oneEvent, type PullRequestEnds, unreadable } from '../reading.ts'
import { describeRepository, NO_REPOSITORY, readFullName } from './repository.ts'
import { readUser } from './user.ts'

const ACTIONS: ReadonlyMap<string, (payload: JsonObject) => PullRequestAction> = new Map([
  ['pr:opened', () => 'opened' as const],
  ['pr:reopened', () => 'reopened' as const],
  ['pr:from_ref_updated', () => 'synchronized' as const],
  ['pr:modified', modification],
  ['pr:reviewer:updated', reviewersChange],
  ['pr:declined', () => 'closed' as const],
  ['pr:deleted', () => 'closed' as const],
  ['pr:merged', () => 'merged' as const],
])

/** Another target branch is another difference; a draft that changes is said apart from title and description. */
function modification(payload: JsonObject): PullRequestAction {
  const before = name(child(payload, 'previousTarget'), 'id')
  const after = name(child(child(payload, 'pullRequest'), 'toRef'), 'id')
  if (before !== null && after !== null && before !== after) return 'synchronized'
  const wasDraft = flag(payload, 'previousDraft')
  const isDraft = flag(child(payload, 'pullRequest'), 'draft')
  if (wasDraft === null || isDraft === null || wasDraft === isDraft) return 'edited'
  return isDraft ? 'converted_to_draft' : 'ready_for_review'
}

function reviewersChange(payload: JsonObject): PullRequestAction {
  const onlyRemoved =
    children(payload, 'addedReviewers').length === 0 && children(payload, 'removedReviewers').length > 0
  return onlyRemoved ? 'review_request_removed' : 'review_requested'
}

/** Whether an event of this type is about a pull request itself. */
export function isPullRequestEvent(eventType: string): boolean {
  return ACTIONS.has(eventType)
}

/** `pr:opened` and the like: everything that happens to a pull request but comments and reviews. */
export function readPullRequestEvent(delivered: Delivered): Reading {
  return readAboutPullRequest(delivered, (fromRepository, pullRequest) => {
    const { eventType, payload } = fromRepository
    return oneEvent(fromRepository, {
      ...pullRequestPlace(pullRequest),
      kind: 'pull_request',
      action: ACTIONS.get(eventType)?.(payload) ?? 'other',
      before: eventType === 'pr:from_ref_updated' ? (readSha(payload['previousFromHash']) ?? null) : null,
      occurred_at: moment(payload, 'date'),
    })
  })
}

/** Gives the pull request of a payload to `say`, and the repository that it wants to enter, where both are there. */
export function readAboutPullRequest(
  delivered: Delivered,
  say: (delivered: DeliveredFromRepository, pullRequest: EventPullRequest) => Reading,
): Reading {
  const pullRequest = child(delivered.payload, 'pullRequest')
  const number = count(pullRequest, 'id')
  if (number === null) return unreadable(delivered, 'The event holds no pull request with a number.')
  const repository = describeRepository(child(child(pullRequest, 'toRef'), 'repository'))
  if (repository === null) return unreadable(delivered, NO_REPOSITORY)
  return say({ ...delivered, repository }, describePullRequest(pullRequest, number))
}

/** Where the pull request is found: its fetchable ref, the branch it wants to enter and the commit of its head. */
export function pullRequestPlace(pullRequest: EventPullRequest) {
  return {
    pull_request: pullRequest,
    ref: `refs/pull-requests/${pullRequest.number}/from`,
    branch: pullRequest.base.ref,
    after: pullRequest.head.sha,
  }
}

/** The API describes it as payloads do. */
export function describePullRequest(pullRequest: JsonObject, number: number): EventPullRequest {
  const state = name(pullRequest, 'state')
  const [self = {}] = children(child(pullRequest, 'links'), 'self')
  return {
    number,
    title: text(pullRequest, 'title') ?? '',
    draft: flag(pullRequest, 'draft'),
    labels: [],
    ...readEnds(pullRequest),
    merged: state === null ? null : state === 'MERGED',
    author: readUser(child(pullRequest, 'author'), 'user'),
    web_url: webUrl(self, 'href'),
  }
}

/** A fork unless both ends name the same repository by its id: unknown means fork. */
export function readEnds(pullRequest: JsonObject): PullRequestEnds {
  const from = child(pullRequest, 'fromRef')
  const to = child(pullRequest, 'toRef')
  const fromId = isObject(from['repository']) ? id(from['repository'], 'id') : null
  return {
    head: readEnd(from),
    base: readEnd(to),
    from_fork: fromId === null || fromId !== id(child(to, 'repository'), 'id'),
  }
}

/** The full ref comes first: the displayed name of a branch may be shorter. */
function readEnd(end: JsonObject): PullRequestEnd {
  const { id: ref } = end
  const full = typeof ref === 'string' && ref.startsWith('refs/heads/') && isRef(ref) ? ref : undefined
  return {
    ref: full?.slice('refs/heads/'.length) ?? readBareRef(end['displayId'], 'heads'),
    sha: readSha(end['latestCommit']) ?? null,
    repository: readFullName(child(end, 'repository')),
  }
}
