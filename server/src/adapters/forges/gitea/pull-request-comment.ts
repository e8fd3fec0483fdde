import type { EventPullRequest } from '@signalbox/contracts/event'
import { readComment } from '../github/pull-request-comment.ts'
import { isObject } from '../json-object.ts'
import { child, count, flag } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, nothingRunnable } from '../reading.ts'
import type { Dialect } from './dialect.ts'
import { describe, readPullRequest } from './pull-request.ts'

/**
 * `issue_comment`: a comment in the conversation of an issue or, the only ones that count here, of a pull request. The
 * event never tells the author's role in the repository.
 */
export function readIssueComment(delivered: DeliveredFromRepository, dialect: Dialect): Reading {
  const { payload, repository } = delivered
  const isPullRequest = payload['is_pull'] === true || isObject(child(payload, 'issue')['pull_request'])
  if (!isPullRequest) {
    return nothingRunnable(delivered, repository, 'The comment is on an issue, not on a pull request.')
  }
  const found = isObject(payload['pull_request'])
    ? readPullRequest(delivered, dialect)
    : pullRequestOfIssue(delivered, dialect)
  return readComment(delivered, found)
}

/**
 * Older versions send the issue behind the pull request alone: no branch, no commit and no origin. These fields stay
 * null and the pull request counts as a fork until someone asks the provider.
 */
function pullRequestOfIssue({ payload }: DeliveredFromRepository, dialect: Dialect): EventPullRequest | undefined {
  const issue = child(payload, 'issue')
  const number = count(issue, 'number')
  if (number === null) return undefined
  const link = child(issue, 'pull_request')
  const nowhere = { ref: null, sha: null, repository: null }
  const described = describe(issue, number, dialect)
  return {
    ...described,
    draft: described.draft ?? flag(link, 'draft'),
    head: nowhere,
    base: nowhere,
    from_fork: true,
    merged: flag(link, 'merged'),
  }
}
