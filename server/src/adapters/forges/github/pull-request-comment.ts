import { COMMENT_ACTIONS, type EventComment, type EventPullRequest } from '@signalbox/contracts/event'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, count, id, moment, text, webUrl } from '../payload-fields.ts'
import { readPerson } from '../person.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, nothingRunnable, oneEvent, unreadable } from '../reading.ts'
import { pullRequestPlace, readDescription, readPullRequest } from './pull-request.ts'

const MAX_BODY = 65_536
const MAX_PATH = 4_096
const ACTIONS: ReadonlySet<string> = new Set(COMMENT_ACTIONS)

/** `issue_comment`: a comment in the conversation of an issue or, the only ones that count here, of a pull request. */
export function readIssueComment(delivered: DeliveredFromRepository): Reading {
  const issue = child(delivered.payload, 'issue')
  if (!isObject(issue['pull_request'])) {
    return nothingRunnable(delivered, delivered.repository, 'The comment is on an issue, not on a pull request.')
  }
  const number = count(issue, 'number')
  return readComment(delivered, number === null ? undefined : pullRequestOfIssue(issue, number))
}

/** `pull_request_review_comment`: a comment on a line of a pull request's difference. */
export function readReviewComment(delivered: DeliveredFromRepository): Reading {
  return readComment(delivered, readPullRequest(delivered))
}

/** A comment on a pull request; undefined for one without a number. */
export function readComment(delivered: DeliveredFromRepository, pullRequest: EventPullRequest | undefined): Reading {
  const { action, payload, repository } = delivered
  if (action === null || !ACTIONS.has(action)) {
    return nothingRunnable(delivered, repository, 'No trigger can use this action of a comment.')
  }
  const comment = payload['comment']
  if (pullRequest === undefined || !isObject(comment)) {
    return unreadable(delivered, 'The event holds no comment on a pull request with a number.')
  }
  return oneEvent(delivered, {
    ...pullRequestPlace(pullRequest),
    kind: 'pull_request_comment',
    action,
    comment: describeComment(comment),
    occurred_at: moment(comment, 'updated_at') ?? moment(comment, 'created_at'),
  })
}

/** A comment, or a review, which has the same fields. */
export function describeComment(comment: JsonObject): EventComment {
  return {
    id: id(comment, 'id'),
    body: text(comment, 'body', MAX_BODY) ?? '',
    author: readPerson(comment, 'user'),
    // Nothing of `author_association` proves a right: readers are MEMBER and COLLABORATOR, and a delivery that comes later
    // may call somebody OWNER who was that when they wrote. The API is asked.
    author_is_member: null,
    path: text(comment, 'path', MAX_PATH),
    web_url: webUrl(comment, 'html_url'),
  }
}

/**
 * GitHub sends the issue behind the pull request here: no branch, no commit and no origin. These fields stay null and
 * the pull request counts as a fork. Someone then has to ask the provider for the head at the time of the comment.
 */
function pullRequestOfIssue(issue: JsonObject, number: number): EventPullRequest {
  const nowhere = { ref: null, sha: null, repository: null }
  const link = child(issue, 'pull_request')
  const merged = 'merged_at' in link ? link['merged_at'] !== null : null
  return { ...readDescription(issue, number), head: nowhere, base: nowhere, from_fork: true, merged }
}
