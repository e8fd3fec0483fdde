import { readSha } from '../git-names.ts'
import { pullRequestPlace } from '../github/pull-request.ts'
import { isObject } from '../json-object.ts'
import { child, moment, text } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, oneEvent, unreadable } from '../reading.ts'
import type { Dialect } from './dialect.ts'
import { readPullRequest } from './pull-request.ts'

const MAX_BODY = 65_536

/** By the event type of the header. */
const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['pull_request_approved', 'approved'],
  ['pull_request_rejected', 'changes_requested'],
  ['pull_request_comment', 'commented'],
])

/** The event types of reviews. */
export const REVIEWS = [...ACTIONS.keys()]

/** A review; the sender wrote it, and it has no id. Newer versions name the commit that was reviewed. */
export function readReview(delivered: DeliveredFromRepository, dialect: Dialect): Reading {
  const { payload, eventType, sender } = delivered
  const pullRequest = readPullRequest(delivered, dialect)
  const action = ACTIONS.get(eventType)
  const review = payload['review']
  if (pullRequest === undefined || action === undefined || !isObject(review)) {
    return unreadable(delivered, 'The event holds no review of a pull request with a number.')
  }
  const place = pullRequestPlace(pullRequest)
  return oneEvent(delivered, {
    ...place,
    after: readSha(payload['commit_id']) ?? place.after,
    kind: 'pull_request_review',
    action,
    comment: {
      id: null,
      body: text(review, 'content', MAX_BODY) ?? '',
      author: sender,
      author_is_member: null,
      path: null,
      web_url: null,
    },
    occurred_at: moment(child(payload, 'pull_request'), 'updated_at'),
  })
}
