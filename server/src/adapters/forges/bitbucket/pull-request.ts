import type { EventPullRequest, PullRequestAction, PullRequestEnd } from '@signalbox/contracts/event'
import { readBareRef, readSha } from '../git-names.ts'
import type { JsonObject } from '../json-object.ts'
import { child, count, flag, moment, name, text, webUrl } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, oneEvent, type PullRequestEnds, unreadable } from '../reading.ts'
import { readAccount } from './account.ts'
import { readFullName } from './repository.ts'

/** `pullrequest:created` and the like, which are about the pull request itself. */
export function readPullRequestEvent(action: PullRequestAction): (delivered: DeliveredFromRepository) => Reading {
  return (delivered) => {
    const found = readPullRequest(delivered)
    if (found === undefined) return unreadable(delivered, 'The event holds no pull request with a number.')
    return oneEvent(delivered, {
      ...pullRequestPlace(found),
      kind: 'pull_request',
      action,
      occurred_at: moment(child(delivered.payload, 'pullrequest'), 'updated_on'),
    })
  }
}

/**
 * Where the pull request is found. Bitbucket keeps no ref of its own for its head: the source branch can be fetched, but
 * from this repository only when it lies there. The head is abbreviated, so that no commit is known until one asks.
 */
export function pullRequestPlace(pullRequest: EventPullRequest) {
  const { base, from_fork: fromFork, head } = pullRequest
  return {
    pull_request: pullRequest,
    ref: fromFork || head.ref === null ? null : `refs/heads/${head.ref}`,
    branch: base.ref,
    after: head.sha,
  }
}

/** The pull request of a payload; undefined without a number. */
export function readPullRequest({ payload }: DeliveredFromRepository): EventPullRequest | undefined {
  return describePullRequest(child(payload, 'pullrequest'))
}

/** The API describes it as payloads do; undefined without a number. */
export function describePullRequest(pullRequest: JsonObject): EventPullRequest | undefined {
  const number = count(pullRequest, 'id')
  if (number === null) return undefined
  const state = name(pullRequest, 'state')
  return {
    number,
    title: text(pullRequest, 'title') ?? '',
    draft: flag(pullRequest, 'draft'),
    labels: [],
    ...readEnds(pullRequest),
    merged: state === null ? null : state === 'MERGED',
    author: readAccount(pullRequest, 'author'),
    web_url: webUrl(child(child(pullRequest, 'links'), 'html'), 'href'),
  }
}

/** A fork unless both ends name the same repository: the source's is null when it was deleted, and unknown means fork. */
export function readEnds(pullRequest: JsonObject): PullRequestEnds {
  const source = child(pullRequest, 'source')
  const destination = child(pullRequest, 'destination')
  const sourceId = name(child(source, 'repository'), 'uuid')
  return {
    head: readEnd(source),
    base: readEnd(destination),
    from_fork: sourceId === null || sourceId !== name(child(destination, 'repository'), 'uuid'),
  }
}

function readEnd(end: JsonObject): PullRequestEnd {
  const { hash } = child(end, 'commit')
  const sha = readSha(hash) ?? null
  return {
    ref: readBareRef(child(end, 'branch')['name'], 'heads'),
    sha,
    // Twelve digits, most of the time: an abbreviation, which stands for a commit only as long as no other begins so.
    ...(sha === null && typeof hash === 'string' && /^[0-9a-f]{7,39}$/.test(hash) ? { sha_prefix: hash } : {}),
    repository: readFullName(child(end, 'repository')),
  }
}
