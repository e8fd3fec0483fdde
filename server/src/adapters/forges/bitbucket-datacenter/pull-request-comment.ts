import type { COMMENT_ACTIONS } from '@signalbox/contracts/event'
import { isObject } from '../json-object.ts'
import { id, moment, text } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type Delivered, oneEvent, unreadable } from '../reading.ts'
import { pullRequestPlace, readAboutPullRequest } from './pull-request.ts'
import { readUser } from './user.ts'

const MAX_BODY = 65_536

/**
 * `pr:comment:added` and the like. The author wrote the comment; the sender changed or removed it. The event names
 * neither the commented file nor the author's membership.
 */
export function readPullRequestComment(action: (typeof COMMENT_ACTIONS)[number]): (delivered: Delivered) => Reading {
  return (delivered) =>
    readAboutPullRequest(delivered, (fromRepository, pullRequest) => {
      const comment = delivered.payload['comment']
      if (!isObject(comment)) return unreadable(delivered, 'The event holds no comment.')
      return oneEvent(fromRepository, {
        ...pullRequestPlace(pullRequest),
        kind: 'pull_request_comment',
        action,
        comment: {
          id: id(comment, 'id'),
          body: text(comment, 'text', MAX_BODY) ?? '',
          author: readUser(comment, 'author'),
          author_is_member: null,
          path: null,
          web_url: null,
        },
        occurred_at: moment(delivered.payload, 'date'),
      })
    })
}
