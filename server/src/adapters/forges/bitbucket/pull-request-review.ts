import type { REVIEW_ACTIONS } from '@signalbox/contracts/event'
import { isObject } from '../json-object.ts'
import { moment } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, oneEvent, unreadable } from '../reading.ts'
import { wordlessReview } from '../wordless-review.ts'
import { readAccount } from './account.ts'
import { pullRequestPlace, readPullRequest } from './pull-request.ts'

/**
 * `pullrequest:approved` and the like: `key` is where the payload says who, and when. A review that is taken back has the
 * time at which it was given, so that none is known.
 */
export function readPullRequestReview(
  action: (typeof REVIEW_ACTIONS)[number],
  key: 'approval' | 'changes_request',
): (delivered: DeliveredFromRepository) => Reading {
  return (delivered) => {
    const pullRequest = readPullRequest(delivered)
    const review = delivered.payload[key]
    if (pullRequest === undefined || !isObject(review)) {
      return unreadable(delivered, 'The event holds no review of a pull request with a number.')
    }
    return oneEvent(delivered, {
      ...pullRequestPlace(pullRequest),
      kind: 'pull_request_review',
      action,
      comment: wordlessReview(readAccount(review, 'user') ?? delivered.sender),
      occurred_at: action === 'dismissed' ? null : moment(review, 'date'),
    })
  }
}
