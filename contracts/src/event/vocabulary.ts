/** Every Git provider that an event can come from. A server knows the providers of its registry of forges. */
export const PROVIDERS = [
  'github',
  'gitlab',
  'gitea',
  'forgejo',
  'gogs',
  'bitbucket',
  'bitbucket_datacenter',
  'azure_devops',
  'generic',
] as const

export type Provider = (typeof PROVIDERS)[number]

/**
 * The kinds of events, in one vocabulary for all providers.
 *
 * - `push`: commits arrived on a branch, or the branch was created; `tag`: a tag was created or moved.
 * - `branch_deleted`, `tag_deleted`: the ref is gone; there is no commit to check out.
 * - `ref`: a provider's separate create or delete notice that accompanies a push of the same meaning.
 * - `pull_request_review`: somebody approved, asked for changes or commented; `comment` holds the words.
 * - `merge_group`: the merge queue of a branch asks for checks of a commit that it made.
 * - `check`: somebody asks for a check of a commit once more.
 * - `dispatch`: a person or program asks for something by a type and data of their own.
 * - `repository`: created, renamed, transferred, archived, deleted and the like.
 */
export const EVENT_KINDS = [
  'push',
  'tag',
  'branch_deleted',
  'tag_deleted',
  'ref',
  'pull_request',
  'pull_request_comment',
  'pull_request_review',
  'merge_group',
  'deployment',
  'deployment_status',
  'check',
  'dispatch',
  'release',
  'repository',
  'ping',
] as const

export type EventKind = (typeof EVENT_KINDS)[number]

/** Whether events of the kind are about a pull request. An event that does not name its pull request is of unknown origin. */
export function isAboutPullRequest(kind: EventKind): boolean {
  return kind === 'pull_request' || kind === 'pull_request_comment' || kind === 'pull_request_review'
}

/** Actions of `push`, `tag`, `branch_deleted`, `tag_deleted` and `ref`. */
export const REF_ACTIONS = ['created', 'updated', 'deleted'] as const

/**
 * Actions of `pull_request`. A provider's action outside this table is `other`, never an error. `updated`: the provider
 * does not say whether commits came or the description changed. Before any trigger looks at it, it becomes `synchronized`
 * or `edited`, by the last head that was seen.
 */
export const PULL_REQUEST_ACTIONS = [
  'opened',
  'reopened',
  'synchronized',
  'edited',
  'labeled',
  'unlabeled',
  'assigned',
  'unassigned',
  'review_requested',
  'review_request_removed',
  'ready_for_review',
  'converted_to_draft',
  'milestoned',
  'demilestoned',
  'locked',
  'unlocked',
  'enqueued',
  'dequeued',
  'closed',
  'merged',
  'updated',
  'other',
] as const

export type PullRequestAction = (typeof PULL_REQUEST_ACTIONS)[number]

/** Actions of `pull_request_comment`. */
export const COMMENT_ACTIONS = ['created', 'edited', 'deleted'] as const

/** Actions of `pull_request_review`. */
export const REVIEW_ACTIONS = ['approved', 'changes_requested', 'commented', 'edited', 'dismissed'] as const

/** Actions of `merge_group`. */
export const MERGE_GROUP_ACTIONS = ['checks_requested', 'destroyed'] as const

/** Actions of `deployment_status`: the state. */
export const DEPLOYMENT_STATES = [
  'queued',
  'pending',
  'in_progress',
  'success',
  'failure',
  'error',
  'inactive',
] as const

/** Actions of `release`. `published` and `released` may both come for one click: `released` is the one without pre-releases. */
export const RELEASE_ACTIONS = [
  'created',
  'published',
  'released',
  'prereleased',
  'updated',
  'unpublished',
  'deleted',
] as const

/** Actions of `repository`. */
export const REPOSITORY_ACTIONS = [
  'created',
  'renamed',
  'transferred',
  'edited',
  'archived',
  'unarchived',
  'publicized',
  'privatized',
  'deleted',
] as const

/** The actions that events of each kind may have; posted events may use words of their own beside these. */
export const ACTIONS_OF: Readonly<Record<EventKind, readonly string[]>> = {
  push: REF_ACTIONS,
  tag: REF_ACTIONS,
  branch_deleted: REF_ACTIONS,
  tag_deleted: REF_ACTIONS,
  ref: REF_ACTIONS,
  pull_request: PULL_REQUEST_ACTIONS,
  pull_request_comment: COMMENT_ACTIONS,
  pull_request_review: REVIEW_ACTIONS,
  merge_group: MERGE_GROUP_ACTIONS,
  deployment: ['created'],
  deployment_status: DEPLOYMENT_STATES,
  check: ['rerequested'],
  dispatch: ['requested'],
  release: RELEASE_ACTIONS,
  repository: REPOSITORY_ACTIONS,
  ping: [],
}
