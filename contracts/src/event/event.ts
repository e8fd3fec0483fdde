import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { EVENT_KINDS, PROVIDERS } from './vocabulary.ts'

const MAX_NAME = 1_000
const MAX_TEXT = 65_536

/** A whole commit name, SHA-1 or SHA-256; the zero sha, which stands for "none", is not one. */
const SHA = '^(?!0+$)(?:[0-9a-f]{40}|[0-9a-f]{64})$'

function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()])
}

/**
 * Two or more segments. "~" before the first names a person's own repositories (Bitbucket Data Center). Single spaces
 * within a segment come from names of projects and repositories at Azure DevOps. Nothing here needs to be escaped in
 * a pattern, and no other letters pass that could look like these.
 */
export const REPOSITORY_SEGMENT = '[A-Za-z0-9_.-]+(?: [A-Za-z0-9_.-]+)*'
const FULL_NAME = `^~?${REPOSITORY_SEGMENT}(?:/${REPOSITORY_SEGMENT})+$`

/** Unknown keys are refused: an event that is posted with a misspelt field must not lose it silently. */
function closed<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}

function name() {
  return nullable(Type.String({ maxLength: MAX_NAME }))
}
function url() {
  return nullable(Type.String({ maxLength: 4_096 }))
}
function moment() {
  return nullable(Type.String({ format: 'date-time', description: 'RFC 3339, UTC' }))
}
const SHA_FORM = 'A whole commit name in lower case'
function sha() {
  return nullable(Type.String({ pattern: SHA, description: SHA_FORM }))
}

export const Person = closed({
  id: name(),
  login: name(),
  name: name(),
  email: name(),
  bot: nullable(Type.Boolean()),
})
export type Person = Static<typeof Person>

export const EventRepository = closed({
  id: nullable(Type.String({ maxLength: MAX_NAME, description: 'Digits of any length or a uuid: never a number' })),
  owner: Type.String({ minLength: 1, maxLength: MAX_NAME, description: 'All of full_name before its last slash' }),
  name: Type.String({ minLength: 1, maxLength: MAX_NAME }),
  full_name: Type.String({ pattern: FULL_NAME, maxLength: MAX_NAME, description: 'owner/name' }),
  clone_url: url(),
  web_url: url(),
  default_branch: name(),
  private: nullable(Type.Boolean()),
})
export type EventRepository = Static<typeof EventRepository>

export const EventCommit = closed({
  sha: Type.String({ pattern: SHA, description: SHA_FORM }),
  message: Type.String({ maxLength: MAX_TEXT }),
  author: nullable(Person),
  timestamp: moment(),
  web_url: url(),
})
export type EventCommit = Static<typeof EventCommit>

export const PullRequestEnd = closed({
  ref: nullable(Type.String({ maxLength: MAX_NAME, description: 'The bare branch name' })),
  sha: sha(),
  sha_prefix: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{7,63}$',
      description:
        'How sha begins, where the provider names no more of it; absent elsewhere. An abbreviation is no commit name',
    }),
  ),
  repository: nullable(Type.String({ maxLength: MAX_NAME, description: 'owner/name; null when it no longer exists' })),
})
export type PullRequestEnd = Static<typeof PullRequestEnd>

export const EventPullRequest = closed({
  number: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  title: Type.String({ maxLength: MAX_NAME }),
  draft: nullable(Type.Boolean()),
  labels: Type.Array(Type.String({ maxLength: MAX_NAME }), { maxItems: 1_000 }),
  head: PullRequestEnd,
  base: PullRequestEnd,
  from_fork: Type.Boolean({ description: 'True for a fork and whenever the origin is unknown' }),
  merged: nullable(Type.Boolean()),
  author: nullable(Person),
  web_url: url(),
})
export type EventPullRequest = Static<typeof EventPullRequest>

export const EventComment = closed({
  id: name(),
  body: Type.String({ maxLength: MAX_TEXT }),
  author: nullable(Person),
  author_is_member: nullable(
    Type.Boolean({
      description:
        'Whether the author may write to the repository; null: the payload does not say, and the provider is asked where a trigger needs it',
    }),
  ),
  path: nullable(Type.String({ maxLength: 4_096, description: 'The commented file, for a comment on a line' })),
  web_url: url(),
})
export type EventComment = Static<typeof EventComment>

export const EventRelease = closed({
  tag: Type.String({ maxLength: MAX_NAME }),
  name: name(),
  draft: nullable(Type.Boolean()),
  prerelease: nullable(Type.Boolean()),
  web_url: url(),
})
export type EventRelease = Static<typeof EventRelease>

export const EventDeployment = closed({
  id: name(),
  environment: name(),
  task: name(),
  description: name(),
  state: nullable(Type.String({ maxLength: 100, description: 'Of a status; null for the deployment itself' })),
  status_id: name(),
  web_url: url(),
})
export type EventDeployment = Static<typeof EventDeployment>

export const EventDispatch = closed({
  type: Type.String({ maxLength: MAX_NAME, description: "The sender's name for it" }),
  payload: Type.Unknown({ description: 'Further data that the sender gave' }),
})
export type EventDispatch = Static<typeof EventDispatch>

/**
 * One provider-neutral Git event. Every key but `sha_prefix`, `deployment` and `dispatch` is always there; what the provider did not say is null, never guessed.
 *
 * `branch` is the branch that the event is about: the pushed branch, or the base of a pull request, as in `branches:`
 * of GitHub Actions. `ref` is what can be fetched from the repository: for a pull request the provider's own ref of its
 * head. `after` is the commit a run checks out; some providers name an annotated tag by its own id alone, which then
 * stands for the commit. `before` and `after` are null where a provider sends the zero sha; for a pull request `before`
 * is its previous head.
 */
export const Event = closed({
  kind: Type.Enum([...EVENT_KINDS]),
  action: Type.String({ minLength: 1, maxLength: 100 }),
  provider: Type.Enum([...PROVIDERS]),
  delivery_id: nullable(Type.String({ maxLength: 200 })),
  repository: EventRepository,
  ref: nullable(Type.String({ maxLength: MAX_NAME, description: 'Always full: refs/heads/..., refs/tags/...' })),
  branch: name(),
  tag: name(),
  before: sha(),
  after: sha(),
  forced: nullable(Type.Boolean()),
  commits: Type.Array(EventCommit, { maxItems: 2_048, description: 'Oldest first; the newest ones where cut' }),
  changed_paths: nullable(Type.Array(Type.String({ maxLength: 4_096 }))),
  changed_paths_complete: Type.Boolean({ description: 'False where the list may be cut or is unknown' }),
  pull_request: nullable(EventPullRequest),
  comment: nullable(EventComment),
  release: nullable(EventRelease),
  deployment: Type.Optional(EventDeployment),
  dispatch: Type.Optional(EventDispatch),
  sender: nullable(Person),
  occurred_at: moment(),
})
export type Event = Static<typeof Event>
