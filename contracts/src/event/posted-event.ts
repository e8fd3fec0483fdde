import { type Static, Type } from 'typebox'
import { Event, EventRepository } from './event.ts'
import { isAboutPullRequest } from './vocabulary.ts'

const PostedRepository = Type.Object(
  {
    ...Type.Partial(Type.Pick(EventRepository, ['id', 'clone_url', 'web_url', 'default_branch', 'private'])).properties,
    ...Type.Partial(Type.Pick(EventRepository, ['owner', 'name'])).properties,
    full_name: EventRepository.properties.full_name,
  },
  { additionalProperties: false },
)

/**
 * The body of POST /v1/git/events: an event of which only kind, provider and the repository's full name must be there. An
 * event about a pull request must hold that, too.
 */
export const PostedEvent = Type.Object(
  {
    ...Type.Partial(Type.Omit(Event, ['kind', 'provider', 'repository'])).properties,
    kind: Event.properties.kind,
    provider: Event.properties.provider,
    repository: PostedRepository,
  },
  { additionalProperties: false },
)
export type PostedEvent = Static<typeof PostedEvent>

/**
 * The whole event of a partial one. Absent values become null and absent lists empty; a pull request of unknown origin
 * stays as it was given. Where nothing else names the branch or tag of the event, a full ref does. Owner and name
 * always follow `full_name`, so that they cannot disagree with the name that allowlists and triggers compare.
 */
export function completeEvent(posted: PostedEvent): Event {
  const fullName = posted.repository.full_name
  const cut = fullName.lastIndexOf('/')
  const named = (posted.branch ?? posted.tag ?? null) === null ? nameOfRef(posted) : undefined
  return {
    kind: posted.kind,
    action: posted.action ?? 'other',
    provider: posted.provider,
    delivery_id: posted.delivery_id ?? null,
    repository: {
      id: posted.repository.id ?? null,
      owner: fullName.slice(0, cut),
      name: fullName.slice(cut + 1),
      full_name: fullName,
      clone_url: posted.repository.clone_url ?? null,
      web_url: posted.repository.web_url ?? null,
      default_branch: posted.repository.default_branch ?? null,
      private: posted.repository.private ?? null,
    },
    ref: posted.ref ?? null,
    branch: posted.branch ?? named?.branch ?? null,
    tag: posted.tag ?? named?.tag ?? null,
    before: posted.before ?? null,
    after: posted.after ?? null,
    forced: posted.forced ?? null,
    commits: posted.commits ?? [],
    changed_paths: posted.changed_paths ?? null,
    changed_paths_complete: posted.changed_paths_complete ?? false,
    pull_request: posted.pull_request ?? null,
    comment: posted.comment ?? null,
    release: posted.release ?? null,
    ...(posted.deployment ? { deployment: posted.deployment } : {}),
    ...(posted.dispatch ? { dispatch: posted.dispatch } : {}),
    sender: posted.sender ?? null,
    occurred_at: posted.occurred_at ?? null,
  }
}

/**
 * Whether `branch` or `tag` names something else than the full ref: triggers would match by one, and people would see the
 * other. Undefined: neither does.
 */
export function findOtherName(
  posted: Pick<PostedEvent, 'kind' | 'ref' | 'branch' | 'tag'>,
): 'branch' | 'tag' | undefined {
  const named = nameOfRef(posted)
  if (named === undefined) return undefined
  const { kind, branch = null, tag = null } = posted
  if (branch !== null && branch !== named.branch) return 'branch'
  // A release has a tag wherever its commit is found.
  if (tag !== null && tag !== named.tag && !(kind === 'release' && named.tag === undefined)) return 'tag'
  return undefined
}

/** The bare name in a full ref of a branch or tag. A pull request's ref is that of its head, its branch another one. */
function nameOfRef({ kind, ref }: Pick<PostedEvent, 'kind' | 'ref'>): { branch?: string; tag?: string } | undefined {
  const [, namespace, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(ref ?? '') ?? []
  if (name === undefined || isAboutPullRequest(kind)) return undefined
  return namespace === 'heads' ? { branch: name } : { tag: name }
}
