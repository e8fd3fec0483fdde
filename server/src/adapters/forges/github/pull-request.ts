import type { EventPullRequest, PullRequestAction, PullRequestEnd } from '@signalbox/contracts/event'
import { isFullName, readBareRef, readSha } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, children, count, flag, id, moment, name, text, webUrl } from '../payload-fields.ts'
import { readPerson } from '../person.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, oneEvent, type PullRequestEnds, unreadable } from '../reading.ts'

const MAX_LABELS = 100

const ACTIONS: ReadonlyMap<string, PullRequestAction> = new Map([
  ['opened', 'opened'],
  ['reopened', 'reopened'],
  ['synchronize', 'synchronized'],
  ['edited', 'edited'],
  ['labeled', 'labeled'],
  ['unlabeled', 'unlabeled'],
  ['assigned', 'assigned'],
  ['unassigned', 'unassigned'],
  ['review_requested', 'review_requested'],
  ['review_request_removed', 'review_request_removed'],
  ['ready_for_review', 'ready_for_review'],
  ['converted_to_draft', 'converted_to_draft'],
  ['milestoned', 'milestoned'],
  ['demilestoned', 'demilestoned'],
  ['locked', 'locked'],
  ['unlocked', 'unlocked'],
  ['enqueued', 'enqueued'],
  ['dequeued', 'dequeued'],
  ['closed', 'closed'],
])

/** `pull_request`: everything that happens to a pull request but comments and reviews. */
export function readPullRequestEvent(delivered: DeliveredFromRepository): Reading {
  const { payload } = delivered
  const found = readPullRequest(delivered)
  if (found === undefined) return unreadable(delivered, 'The event holds no pull request with a number.')
  const known = delivered.action === null ? undefined : ACTIONS.get(delivered.action)
  return oneEvent(delivered, {
    ...pullRequestPlace(found),
    kind: 'pull_request',
    action: known === 'closed' && found.merged === true ? 'merged' : (known ?? 'other'),
    before: known === 'synchronized' ? (readSha(payload['before']) ?? null) : null,
    occurred_at: moment(child(payload, 'pull_request'), 'updated_at'),
  })
}

/** Where the pull request is found: its fetchable ref, the branch it wants to enter and the commit of its head. */
export function pullRequestPlace(pullRequest: EventPullRequest) {
  return {
    pull_request: pullRequest,
    ref: `refs/pull/${pullRequest.number}/head`,
    branch: pullRequest.base.ref,
    after: pullRequest.head.sha,
  }
}

/** The pull request of a payload; undefined without a number. */
export function readPullRequest(delivered: DeliveredFromRepository): EventPullRequest | undefined {
  const pullRequest = child(delivered.payload, 'pull_request')
  const number = count(pullRequest, 'number') ?? count(delivered.payload, 'number')
  if (number === null) return undefined
  return { ...readDescription(pullRequest, number), ...readEnds(pullRequest), merged: flag(pullRequest, 'merged') }
}

/** Where the changes of a pull request come from and where they want to go. */
export function readEnds(pullRequest: JsonObject): PullRequestEnds {
  const head = child(pullRequest, 'head')
  const base = child(pullRequest, 'base')
  return { head: readEnd(head), base: readEnd(base), from_fork: isFromFork(head, base) }
}

/** The fields that issues and pull requests share. */
export function readDescription(subject: JsonObject, number: number) {
  return {
    number,
    title: text(subject, 'title') ?? '',
    draft: flag(subject, 'draft'),
    labels: children(subject, 'labels')
      .slice(0, MAX_LABELS)
      .map((label) => name(label, 'name'))
      .filter((label) => label !== null),
    author: readPerson(subject, 'user'),
    web_url: webUrl(subject, 'html_url'),
  }
}

/** One end: a branch, its newest commit and the repository that it is in. */
export function readEnd(end: JsonObject): PullRequestEnd {
  const repository = child(end, 'repo')['full_name']
  return {
    ref: readBareRef(end['ref'], 'heads'),
    sha: readSha(end['sha']) ?? null,
    repository: typeof repository === 'string' && isFullName(repository) ? repository : null,
  }
}

/** A fork unless both repositories are there and have the same id: a deleted fork has none, and unknown means fork. */
function isFromFork(head: JsonObject, base: JsonObject): boolean {
  if (!isObject(head['repo']) || !isObject(base['repo'])) return true
  const headId = id(head['repo'], 'id')
  return headId === null || headId !== id(base['repo'], 'id')
}
