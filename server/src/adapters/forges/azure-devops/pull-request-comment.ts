import type { COMMENT_ACTIONS } from '@signalbox/contracts/event'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, count, id, moment, text } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, nothingRunnable, oneEvent, unreadable } from '../reading.ts'
import { readIdentity } from './identity.ts'
import { pullRequestPlace, readPullRequest } from './pull-request.ts'

const MAX_BODY = 65_536

/**
 * `ms.vss-code.git-pullrequest-comment-event`: a comment was made, changed or removed; its own fields say which. Whether
 * the author is a member of anything is not said.
 */
export function readPullRequestComment(delivered: DeliveredFromRepository, resource: JsonObject): Reading {
  const pullRequest = readPullRequest(delivered, child(resource, 'pullRequest'))
  const { comment } = resource
  if (pullRequest === undefined || !isObject(comment)) {
    return unreadable(delivered, 'The event holds no comment on a pull request with a number.')
  }
  if (comment['commentType'] === 'system') {
    const reason = 'The comment was written by Azure DevOps itself.'
    return nothingRunnable(delivered, delivered.repository, reason)
  }
  const action = readAction(comment)
  const author = readIdentity(comment, 'author')
  return oneEvent(delivered, {
    ...pullRequestPlace(pullRequest),
    kind: 'pull_request_comment',
    action,
    comment: {
      id: readCommentId(comment),
      body: text(comment, 'content', MAX_BODY) ?? '',
      author,
      author_is_member: null,
      path: null,
      web_url: null,
    },
    // Only its author can change a comment, but others can remove it, and the event does not name them.
    sender: action === 'deleted' ? null : author,
    occurred_at: moment(comment, 'lastUpdatedDate') ?? moment(comment, 'publishedDate'),
  })
}

function readAction(comment: JsonObject): (typeof COMMENT_ACTIONS)[number] {
  if (comment['isDeleted'] === true) return 'deleted'
  return comment['publishedDate'] === comment['lastUpdatedDate'] ? 'created' : 'edited'
}

/** Comments are numbered from 1 in each thread of a pull request: only with the thread's number is one told from another. */
function readCommentId(comment: JsonObject): string | null {
  const number = count(comment, 'id')
  const { href } = child(child(comment, '_links'), 'self')
  const thread = typeof href === 'string' ? /\/threads\/(\d{1,20})(?:\/|$)/.exec(href)?.[1] : undefined
  return number === null || thread === undefined ? id(comment, 'id') : `${thread}/${number}`
}
