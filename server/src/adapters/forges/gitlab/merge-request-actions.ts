import type { PullRequestAction } from '@signalbox/contracts/event'
import { readSha } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, children, id } from '../payload-fields.ts'

type Actions = readonly [PullRequestAction, ...PullRequestAction[]]

const ACTIONS: ReadonlyMap<string, PullRequestAction> = new Map([
  ['open', 'opened'],
  ['reopen', 'reopened'],
  ['close', 'closed'],
  ['merge', 'merged'],
])

/**
 * The actions that an event of a merge request means. An `update` shows them by `changes`, and by `oldrev` when commits
 * came. One event may hold several, such as a label and a reviewer set in one form. Unknown changes are `other`.
 */
export function readActions(payload: JsonObject, action: string | null): Actions {
  if (action !== 'update') return [ACTIONS.get(action ?? '') ?? 'other']
  const changes = child(payload, 'changes')
  const [first, ...others] = [
    ...readCommits(child(payload, 'object_attributes')),
    ...readDraft(changes),
    ...readText(changes),
    ...readMembers(changes, 'labels', 'labeled', 'unlabeled'),
    ...readReviewers(changes),
    ...readMembers(changes, 'assignees', 'assigned', 'unassigned'),
    ...readMilestone(changes),
    ...readLock(changes),
  ]
  return first === undefined ? ['other'] : [first, ...others]
}

function readCommits(attributes: JsonObject): readonly PullRequestAction[] {
  return readSha(attributes['oldrev']) === undefined ? [] : ['synchronized']
}

/** `work_in_progress` until GitLab 13. */
function draftOf(changes: JsonObject): unknown {
  return child(changes, 'draft')['current'] ?? child(changes, 'work_in_progress')['current']
}

function readDraft(changes: JsonObject): readonly PullRequestAction[] {
  const draft = draftOf(changes)
  return typeof draft === 'boolean' ? [draft ? 'converted_to_draft' : 'ready_for_review'] : []
}

/** A draft is one by a word in its title, so that the title changes with it and is not told apart then. */
function readText(changes: JsonObject): readonly PullRequestAction[] {
  const title = 'title' in changes && typeof draftOf(changes) !== 'boolean'
  return title || 'description' in changes || 'target_branch' in changes ? ['edited'] : []
}

/** A changed list: its added and its removed members, by id. */
function readMembers(
  changes: JsonObject,
  key: string,
  added: PullRequestAction,
  removed: PullRequestAction,
): readonly PullRequestAction[] {
  if (!isObject(changes[key])) return []
  const previous = idsOf(changes[key], 'previous')
  const current = idsOf(changes[key], 'current')
  return [...(current.isSubsetOf(previous) ? [] : [added]), ...(previous.isSubsetOf(current) ? [] : [removed])]
}

function idsOf(change: JsonObject, side: 'previous' | 'current'): ReadonlySet<string | null> {
  return new Set(children(change, side).map((member) => id(member, 'id')))
}

/** A reviewer may be asked again without having been away. */
function readReviewers(changes: JsonObject): readonly PullRequestAction[] {
  const found = readMembers(changes, 'reviewers', 'review_requested', 'review_request_removed')
  const again = children(child(changes, 'reviewers'), 'current').some((member) => member['re_requested'] === true)
  return again && !found.includes('review_requested') ? ['review_requested', ...found] : found
}

function readMilestone(changes: JsonObject): readonly PullRequestAction[] {
  if (!isObject(changes['milestone_id'])) return []
  return [id(changes['milestone_id'], 'current') === null ? 'demilestoned' : 'milestoned']
}

function readLock(changes: JsonObject): readonly PullRequestAction[] {
  if (!isObject(changes['discussion_locked'])) return []
  return [changes['discussion_locked']['current'] === true ? 'locked' : 'unlocked']
}
