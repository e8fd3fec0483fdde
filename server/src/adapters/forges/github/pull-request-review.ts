import { readSha } from '../git-names.ts'
import { isObject } from '../json-object.ts'
import { moment, name } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, nothingRunnable, oneEvent, unreadable } from '../reading.ts'
import { pullRequestPlace, readPullRequest } from './pull-request.ts'
import { describeComment } from './pull-request-comment.ts'

const STATES: ReadonlySet<string> = new Set(['approved', 'changes_requested', 'commented'])

/** `pull_request_review`, about the reviewed commit: the reviewer has not seen later pushes. */
export function readReview(delivered: DeliveredFromRepository): Reading {
  const { payload, repository, action } = delivered
  const review = payload['review']
  const pullRequest = readPullRequest(delivered)
  if (pullRequest === undefined || !isObject(review)) {
    return unreadable(delivered, 'The event holds no review of a pull request with a number.')
  }
  const state = name(review, 'state')?.toLowerCase() ?? ''
  const said = action === 'submitted' ? state : action
  if (said === null || !(STATES.has(said) || said === 'edited' || said === 'dismissed')) {
    return nothingRunnable(delivered, repository, 'No trigger can use this action of a review.')
  }
  const place = pullRequestPlace(pullRequest)
  return oneEvent(delivered, {
    ...place,
    after: readSha(review['commit_id']) ?? place.after,
    kind: 'pull_request_review',
    action: said,
    comment: describeComment(review),
    occurred_at: moment(review, 'submitted_at'),
  })
}
