import type { REVIEW_ACTIONS } from '@signalbox/contracts/event'
import { readSha } from '../git-names.ts'
import { isObject } from '../json-object.ts'
import { moment } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type Delivered, oneEvent, unreadable } from '../reading.ts'
import { wordlessReview } from '../wordless-review.ts'
import { pullRequestPlace, readAboutPullRequest } from './pull-request.ts'
import { readUser } from './user.ts'

/** `pr:reviewer:approved` and the like, about the commit that the reviewer saw last. */
export function readPullRequestReview(action: (typeof REVIEW_ACTIONS)[number]): (delivered: Delivered) => Reading {
  return (delivered) =>
    readAboutPullRequest(delivered, (fromRepository, pullRequest) => {
      const participant = delivered.payload['participant']
      if (!isObject(participant)) return unreadable(delivered, 'The event does not say who reviewed.')
      const place = pullRequestPlace(pullRequest)
      return oneEvent(fromRepository, {
        ...place,
        after: readSha(participant['lastReviewedCommit']) ?? place.after,
        kind: 'pull_request_review',
        action,
        comment: wordlessReview(readUser(participant, 'user')),
        occurred_at: moment(delivered.payload, 'date'),
      })
    })
}
