import type { EventPullRequest, PullRequestAction, PullRequestEnd } from '@signalbox/contracts/event'
import { pullRequestPlace, readDescription, readEnd } from '../github/pull-request.ts'
import type { JsonObject } from '../json-object.ts'
import { child, count, flag, moment } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, oneEvent, type PullRequestEnds, unreadable } from '../reading.ts'
import type { Dialect } from './dialect.ts'

/** One delivery tells of all labels after a change, whether some came or went: `label_updated` says no more than that. */
const ACTIONS: ReadonlyMap<string, PullRequestAction> = new Map([
  ['opened', 'opened'],
  ['reopened', 'reopened'],
  ['synchronized', 'synchronized'],
  ['edited', 'edited'],
  ['label_updated', 'labeled'],
  ['label_cleared', 'unlabeled'],
  ['assigned', 'assigned'],
  ['unassigned', 'unassigned'],
  ['review_requested', 'review_requested'],
  ['review_request_removed', 'review_request_removed'],
  ['milestoned', 'milestoned'],
  ['demilestoned', 'demilestoned'],
  ['closed', 'closed'],
])

/** `pull_request`: everything that happens to a pull request but comments and reviews. */
export function readPullRequestEvent(delivered: DeliveredFromRepository, dialect: Dialect): Reading {
  const found = readPullRequest(delivered, dialect)
  if (found === undefined) return unreadable(delivered, 'The event holds no pull request with a number.')
  const known = delivered.action === null ? undefined : ACTIONS.get(delivered.action)
  return oneEvent(delivered, {
    ...pullRequestPlace(found),
    kind: 'pull_request',
    action: known === 'closed' && found.merged === true ? 'merged' : (known ?? 'other'),
    occurred_at: moment(child(delivered.payload, 'pull_request'), 'updated_at'),
  })
}

/** The pull request of a payload; undefined without a number. */
export function readPullRequest({ payload }: DeliveredFromRepository, dialect: Dialect): EventPullRequest | undefined {
  const pullRequest = child(payload, 'pull_request')
  const number = count(pullRequest, 'number') ?? count(payload, 'number')
  if (number === null) return undefined
  return {
    ...describe(pullRequest, number, dialect),
    ...dialect.readPullRequestEnds(pullRequest, number),
    merged: flag(pullRequest, 'merged'),
  }
}

/** The fields that issues and pull requests share. */
export function describe(subject: JsonObject, number: number, { draftPrefixes }: Dialect) {
  const description = readDescription(subject, number)
  const title = description.title.toLowerCase()
  const named = draftPrefixes.some((prefix) => title.startsWith(prefix.toLowerCase()))
  return { ...description, draft: description.draft ?? (named ? true : null) }
}

/** The ends as Gitea and Forgejo name them. */
export function readEnds(pullRequest: JsonObject, number: number): PullRequestEnds {
  const head = child(pullRequest, 'head')
  const base = child(pullRequest, 'base')
  const from = readHead(head, number)
  const into = readEnd(base)
  const forked = isFromFork(head, base)
  const repository = from.repository ?? (forked ? null : into.repository)
  return { head: { ...from, repository }, base: into, from_fork: from.ref === null || forked }
}

/**
 * Where there is no branch, the head's ref is the pull request's own. Its branch is gone, or everyone with read access
 * may have pushed it to `refs/for/...`. A head from `refs/for/...` names the base as its repository, yet belongs to no
 * branch there: it counts as a fork.
 */
function readHead(head: JsonObject, number: number): PullRequestEnd {
  const end = readEnd(head)
  return end.ref === `refs/pull/${number}/head` ? { ...end, ref: null } : end
}

/** By their ids: the repository of a fork that was deleted has the id -1, and some versions leave out `repo`. */
function isFromFork(head: JsonObject, base: JsonObject): boolean {
  const headId = count(head, 'repo_id')
  return headId === null || headId !== count(base, 'repo_id')
}
