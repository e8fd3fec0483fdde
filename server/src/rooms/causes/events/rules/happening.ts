import type { Event } from '@signalbox/contracts/event'

/**
 * The change behind an event, as one text; undefined where nothing identifies the change, because two equal texts could
 * be two changes. Two hooks that tell of the same change give the same text, whatever their delivery ids and payloads.
 * Everything by which two real changes differ is in it: a pull request that is labelled twice, a branch that comes back
 * to a commit. The hook that told, and the length of its lists, are not part of it.
 */
export function describeHappening(event: Event): string | undefined {
  const { pull_request: pullRequest, comment, release, deployment } = event
  // A user who asks for a check twice wants two; nothing in the event tells them apart.
  if (event.kind === 'check') return undefined
  const told = [event.after, event.before, event.occurred_at, comment?.id ?? null, release?.tag ?? null]
  if (told.every((detail) => detail === null)) return undefined
  return JSON.stringify([
    event.repository.full_name.toLowerCase(),
    event.kind,
    event.action,
    event.ref,
    event.before,
    event.after,
    instantOf(event.occurred_at),
    pullRequest && [
      pullRequest.number,
      pullRequest.head.sha,
      pullRequest.base.ref,
      pullRequest.title,
      pullRequest.draft,
      pullRequest.labels.toSorted(),
      pullRequest.merged,
    ],
    comment && [comment.id, comment.body, ...reviewerOf(event)],
    release && [release.tag, release.name, release.draft, release.prerelease],
    ...(deployment ? [[deployment.id, deployment.status_id, deployment.state]] : []),
  ])
}

/** What a look at heads could find: a branch, or a pull request by its number. */
export type ChangePlace = { readonly ref: string } | { readonly pullRequest: number }

/** The facts of an event that say what it changes. */
export interface ChangingEvent extends Pick<Event, 'kind' | 'action' | 'ref'> {
  /** Of the pull request. */
  readonly number: number | undefined
}

/** What an event changes: a branch, or the commits of a pull request. Undefined: something else. */
export function changedPlace({ kind, action, ref, number }: ChangingEvent): ChangePlace | undefined {
  if (kind === 'push' && ref !== null) return { ref }
  const moves = kind === 'pull_request' && COMMITS_CAME.has(action)
  return moves && number !== undefined ? { pullRequest: number } : undefined
}

/** A change as one text. */
export function describeChange(sourceId: string, repository: string, place: ChangePlace): string {
  const of = [sourceId, repository.toLowerCase()]
  return JSON.stringify('ref' in place ? [...of, place.ref] : [...of, 'pull', place.pullRequest])
}

const COMMITS_CAME: ReadonlySet<string> = new Set(['opened', 'reopened', 'synchronized'])

/** Two people may approve the same commit at once; a review without an id is told apart by whose it is. */
function reviewerOf({ kind, comment }: Event): readonly (string | null)[] {
  if (kind !== 'pull_request_review' || !comment || comment.id !== null) return []
  return [comment.author?.id ?? comment.author?.login ?? null]
}

/** A bot may write the same instant another way. */
function instantOf(time: string | null): number | null {
  return time === null ? null : Date.parse(time)
}

const WITHOUT_TIME_MS = 10 * 60_000
const WITH_TIME_MS = 90 * 86_400_000

/**
 * Until when the same text means the same change. Providers that send the time of a change identify it for good. Other
 * providers may tell twice of a branch that goes from one commit to the next, back, and there again. For those, only an
 * event that comes soon is a repetition.
 */
export function isSameUntil(event: Event, receivedAt: Date): Date {
  return new Date(receivedAt.getTime() + (event.occurred_at === null ? WITHOUT_TIME_MS : WITH_TIME_MS))
}
