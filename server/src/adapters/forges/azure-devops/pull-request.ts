import type { EventPullRequest, PullRequestAction } from '@signalbox/contracts/event'
import { readSha } from '../git-names.ts'
import type { JsonObject } from '../json-object.ts'
import { child, children, count, flag, moment, name, text, webUrl } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import {
  type DeliveredFromRepository,
  nothingRunnable,
  oneEvent,
  type PullRequestEnds,
  unreadable,
} from '../reading.ts'
import { readIdentity } from './identity.ts'
import { readFullName } from './names.ts'
import { readBranch } from './repository.ts'

const MAX_LABELS = 100

/** `git.pullrequest.created`, by any author. */
export function readPullRequestCreated(delivered: DeliveredFromRepository, resource: JsonObject): Reading {
  return readEvent({ ...delivered, sender: readIdentity(resource, 'createdBy') }, resource, 'opened')
}

/**
 * `git.pullrequest.updated`: commits, a vote, a reviewer, a new title or an end. The event does not name its sender.
 */
export function readPullRequestUpdated(delivered: DeliveredFromRepository, resource: JsonObject): Reading {
  const ends: Readonly<Record<string, PullRequestAction>> = { abandoned: 'closed', completed: 'merged' }
  const status = name(resource, 'status') ?? ''
  return readEvent(delivered, resource, (Object.hasOwn(ends, status) ? ends[status] : undefined) ?? 'updated')
}

/** `git.pullrequest.merged` says that a merge was attempted, which happens on every push to either branch. */
export function readMergeAttempted(delivered: DeliveredFromRepository, resource: JsonObject): Reading {
  if (resource['status'] !== 'completed' || resource['mergeStatus'] !== 'succeeded') {
    const reason = 'A merge was attempted to see whether it would work; the pull request is not completed.'
    return nothingRunnable(delivered, delivered.repository, reason)
  }
  return readEvent(delivered, resource, 'merged')
}

function readEvent(delivered: DeliveredFromRepository, resource: JsonObject, action: PullRequestAction): Reading {
  const found = readPullRequest(delivered, resource)
  if (found === undefined) return unreadable(delivered, 'The event holds no pull request with a number.')
  return oneEvent(delivered, {
    ...pullRequestPlace(found),
    kind: 'pull_request',
    action,
    occurred_at: readTime(delivered, resource, action),
  })
}

/**
 * Two types of event tell the end of a pull request. The pull request's own time shows that both are about the same
 * end.
 */
function readTime(
  { payload }: DeliveredFromRepository,
  resource: JsonObject,
  action: PullRequestAction,
): string | null {
  const own = action === 'merged' || action === 'closed' ? moment(resource, 'closedDate') : null
  return own ?? moment(payload, 'createdDate')
}

/**
 * Where the pull request is found. The only ref is that of the pull request's merge, which has the head for a parent.
 */
export function pullRequestPlace(pullRequest: EventPullRequest) {
  return {
    pull_request: pullRequest,
    ref: `refs/pull/${pullRequest.number}/merge`,
    branch: pullRequest.base.ref,
    after: pullRequest.head.sha,
  }
}

/** Undefined without a number. */
export function readPullRequest(
  { repository }: DeliveredFromRepository,
  pullRequest: JsonObject,
): EventPullRequest | undefined {
  return describePullRequest(pullRequest, repository.full_name)
}

/** The API describes it as payloads do; undefined without a number. `repository` is the full name. */
export function describePullRequest(pullRequest: JsonObject, repository: string): EventPullRequest | undefined {
  const number = count(pullRequest, 'pullRequestId')
  if (number === null) return undefined
  const status = name(pullRequest, 'status')
  return {
    number,
    title: text(pullRequest, 'title') ?? '',
    draft: flag(pullRequest, 'isDraft'),
    labels: children(pullRequest, 'labels')
      .slice(0, MAX_LABELS)
      .map((label) => name(label, 'name'))
      .filter((label) => label !== null),
    ...readEnds(pullRequest, repository),
    merged: status === null ? null : status === 'completed',
    author: readIdentity(pullRequest, 'createdBy'),
    web_url: readPage(pullRequest),
  }
}

/**
 * A fork is said by `forkSource`, and only then is it there. Without a source branch nothing is known of the origin, and
 * it counts as one.
 */
export function readEnds(pullRequest: JsonObject, repository: string): PullRequestEnds {
  const { forkSource, sourceRefName, targetRefName } = pullRequest
  const ref = readBranch(sourceRefName)
  const fromFork = (forkSource !== undefined && forkSource !== null) || ref === null
  const [organisation = null] = repository.split('/')
  return {
    head: {
      ref,
      sha: readSha(child(pullRequest, 'lastMergeSourceCommit')['commitId']) ?? null,
      repository: fromFork
        ? readFullName(child(child(pullRequest, 'forkSource'), 'repository'), organisation)
        : repository,
    },
    base: {
      ref: readBranch(targetRefName),
      sha: readSha(child(pullRequest, 'lastMergeTargetCommit')['commitId']) ?? null,
      repository,
    },
    from_fork: fromFork,
  }
}

/** Null for the API's own address, which is for no one to read. */
function readPage(pullRequest: JsonObject): string | null {
  const page = webUrl(child(child(pullRequest, '_links'), 'web'), 'href')
  return page?.includes('/_git/') ? page : null
}
