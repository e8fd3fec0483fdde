import type { COMMENT_ACTIONS } from '@signalbox/contracts/event'
import { isObject } from '../json-object.ts'
import { child, id, moment, text, webUrl } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, oneEvent, unreadable } from '../reading.ts'
import { readAccount } from './account.ts'
import { pullRequestPlace, readPullRequest } from './pull-request.ts'

const MAX_BODY = 65_536
const MAX_PATH = 4_096

/** `pullrequest:comment_created` and the like. Bitbucket does not say whether the author is a member of anything. */
export function readPullRequestComment(
  action: (typeof COMMENT_ACTIONS)[number],
): (delivered: DeliveredFromRepository) => Reading {
  return (delivered) => {
    const pullRequest = readPullRequest(delivered)
    const comment = delivered.payload['comment']
    if (pullRequest === undefined || !isObject(comment)) {
      return unreadable(delivered, 'The event holds no comment on a pull request with a number.')
    }
    return oneEvent(delivered, {
      ...pullRequestPlace(pullRequest),
      kind: 'pull_request_comment',
      action,
      comment: {
        id: id(comment, 'id'),
        body: text(child(comment, 'content'), 'raw', MAX_BODY) ?? '',
        author: readAccount(comment, 'user'),
        author_is_member: null,
        path: text(child(comment, 'inline'), 'path', MAX_PATH),
        web_url: webUrl(child(child(comment, 'links'), 'html'), 'href'),
      },
      occurred_at: moment(comment, 'updated_on') ?? moment(comment, 'created_on'),
    })
  }
}
