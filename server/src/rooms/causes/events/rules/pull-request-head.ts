import { type Event, type EventPullRequest, isAboutPullRequest } from '@signalbox/contracts/event'

/** A pull request as the last event about it showed it. */
export interface KnownHead {
  readonly pullRequest: EventPullRequest
  readonly ref: string | null
  readonly headSha: string
  readonly occurredAt: string | null
}

/** Whether the event can only be understood with what was seen of its pull request before. */
export function needsKnownHead(event: Event): boolean {
  if (event.pull_request === null) return false
  return event.kind === 'pull_request' ? event.action === 'updated' : lacksHead(event)
}

function lacksHead(event: Event): boolean {
  return event.kind === 'pull_request_comment' && event.after === null
}

/**
 * The event with what its provider left out. `updated` becomes `edited` only where the head is the one seen last. A comment
 * without a commit is about the head that was there when it was written: a head that came later is not taken, because
 * whoever pushed it would choose what the comment starts.
 */
export function completeFromHead(event: Event, known: KnownHead | undefined): Event {
  if (event.pull_request === null) return event
  if (event.kind === 'pull_request' && event.action === 'updated') {
    const same = known !== undefined && event.after !== null && known.headSha === event.after
    return { ...event, action: same ? 'edited' : 'synchronized' }
  }
  if (!lacksHead(event) || !known || isLater(known.occurredAt, event.occurred_at)) return event
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

function isLater(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one > other
}

/** What the provider's API says of a pull request now. */
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
 * The event with the head that the provider names now. For a comment only where the head is no fork's: between the comment
 * and the question whoever owns the fork may have pushed something else, and a member's word was not about that.
 */
export function completeFromAsked(event: Event, asked: AskedHead): Event {
  const pullRequest = event.pull_request
  if (!pullRequest || !needsAskedHead(event)) return event
  if (event.kind === 'pull_request_comment' && asked.fromFork) return event
  return {
    ...event,
    after: asked.headSha,
    branch: event.branch ?? asked.baseRef,
    pull_request: {
      ...pullRequest,
      head: { ...pullRequest.head, sha: asked.headSha, ref: pullRequest.head.ref ?? asked.headRef },
      base: { ...pullRequest.base, ref: pullRequest.base.ref ?? asked.baseRef },
      // Whoever says "fork" is believed.
      from_fork: event.kind === 'pull_request_comment' ? asked.fromFork : pullRequest.from_fork || asked.fromFork,
    },
  }
}
