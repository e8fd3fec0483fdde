import { type Event, type EventPullRequest, isAboutPullRequest } from '@signalbox/contracts/event'

/** A pull request as the last event about it showed it. */
export interface KnownHead {
  readonly pullRequest: EventPullRequest
  readonly ref: string | null
  /** Null: the provider named only `pullRequest.head.sha_prefix`, and nobody has asked for the rest yet. */
  readonly headSha: string | null
  readonly occurredAt: string | null
}

/** Whether the event needs the earlier events of its pull request to be understood. */
export function needsKnownHead(event: Event): boolean {
  if (event.pull_request === null) return false
  if (event.kind !== 'pull_request') return lacksHead(event)
  return event.action === 'updated' || (event.after === null && event.pull_request.head.sha_prefix !== undefined)
}

/** All that the event says of its head: the whole name, or how it begins. */
function namedHead({ after, pull_request: pullRequest }: Event): string | undefined {
  return after ?? pullRequest?.head.sha_prefix
}

/** One of the names may be the beginning of the other. */
function isSameHead(event: Event, known: KnownHead): boolean {
  const seen = known.headSha ?? known.pullRequest.head.sha_prefix
  const named = namedHead(event)
  return seen !== undefined && named !== undefined && (seen.startsWith(named) || named.startsWith(seen))
}

function lacksHead(event: Event): boolean {
  return isAboutPullRequest(event.kind) && event.kind !== 'pull_request' && event.after === null
}

/**
 * The event with what its provider left out. `updated` becomes `edited` only where the head is the one seen last. A
 * comment without a commit is about the head that was there when it was written. A later head is not taken: its author
 * would choose what the comment starts.
 */
export function completeFromHead(event: Event, known: KnownHead | undefined): Event {
  if (event.pull_request === null) return event
  if (event.kind === 'pull_request') {
    const same = known !== undefined && isSameHead(event, known)
    const named = same && event.after === null ? withHead(event, event.pull_request, known.headSha) : event
    return event.action === 'updated' ? { ...named, action: same ? 'edited' : 'synchronized' } : named
  }
  if (!lacksHead(event) || !known || known.headSha === null) return event
  if (isLater(known.occurredAt, event.occurred_at)) return event
  // The comment says how its head begins, and the head seen before it begins differently.
  if (namedHead(event) !== undefined && !isSameHead(event, known)) return event
  const { title, draft, labels, author, web_url } = event.pull_request
  return {
    ...event,
    ref: event.ref ?? known.ref,
    branch: event.branch ?? known.pullRequest.base.ref,
    after: known.headSha,
    pull_request: {
      ...known.pullRequest,
      title,
      draft: draft ?? known.pullRequest.draft,
      labels,
      author: author ?? known.pullRequest.author,
      web_url: web_url ?? known.pullRequest.web_url,
      merged: event.pull_request.merged ?? known.pullRequest.merged,
    },
  }
}

function withHead(event: Event, pullRequest: EventPullRequest, sha: string | null): Event {
  return { ...event, after: sha, pull_request: { ...pullRequest, head: { ...pullRequest.head, sha } } }
}

function isLater(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one > other
}

/** The pull request as the provider's API describes it now. */
export interface AskedHead {
  readonly headSha: string
  readonly headRef: string | null
  readonly baseRef: string | null
  readonly fromFork: boolean
}

/** Whether the provider must be asked which commit the event is about. */
export function needsAskedHead(event: Event): boolean {
  return event.pull_request !== null && event.after === null && isAboutPullRequest(event.kind)
}

/**
 * Whether the present head is the event's. A comment on a pull request from a fork, or of unknown origin, may be about
 * an earlier head.
 */
export function tellsHeadByItself({ kind, pull_request: pullRequest }: Event): boolean {
  return kind === 'pull_request' || pullRequest?.from_fork === false
}

/** Why runs of an event about a pull request have no commit to check out; undefined: they have one. */
export function whyNoCommit(event: Event, because: string): string | undefined {
  if (!needsAskedHead(event)) return undefined
  const prefix = event.pull_request?.head.sha_prefix
  const named = prefix === undefined ? 'The event names no commit' : `The event names the commit only as ${prefix}`
  return `${named} of pull request ${event.pull_request?.number ?? ''}, and the whole name is not known. ${because}`
}

/**
 * The event with the head that the provider names now. A comment gets it only where the head is no fork's. The fork's
 * owner may push something else before the question, and a member's comment did not approve that.
 */
export function completeFromAsked(event: Event, asked: AskedHead): Event {
  const pullRequest = event.pull_request
  if (!pullRequest || !needsAskedHead(event)) return event
  if (event.kind !== 'pull_request' && asked.fromFork) return event
  // The present head is not the one that the event is about.
  if (!asked.headSha.startsWith(pullRequest.head.sha_prefix ?? '')) return event
  return {
    ...event,
    after: asked.headSha,
    branch: event.branch ?? asked.baseRef,
    pull_request: {
      ...pullRequest,
      head: { ...pullRequest.head, sha: asked.headSha, ref: pullRequest.head.ref ?? asked.headRef },
      base: { ...pullRequest.base, ref: pullRequest.base.ref ?? asked.baseRef },
      // An event that says "fork" is believed.
      from_fork: event.kind === 'pull_request_comment' ? asked.fromFork : pullRequest.from_fork || asked.fromFork,
    },
  }
}
