import { completeEvent, type Event, type Provider } from '@signalbox/contracts/event'
import type { ForgeOpenPull } from '#adapters/forges'

/** What is known of a change that nobody told of. */
export interface UntoldFacts {
  readonly provider: Provider
  /** The full name. */
  readonly repository: string
  readonly before: string | null
}

/** Of its commits and files nothing is known, nor who pushed it, nor when. */
export function describePush(facts: UntoldFacts & { readonly ref: string; readonly head: string }): Event {
  const { provider, repository, before, ref, head } = facts
  return completeEvent({
    kind: 'push',
    action: before === null ? 'created' : 'updated',
    provider,
    repository: { full_name: repository },
    ref,
    before,
    after: head,
  })
}

/** Told as its deliveries would tell it: a fork stays one. */
export function describePull(facts: UntoldFacts, { pullRequest, ref, updatedAt }: ForgeOpenPull): Event {
  const { provider, repository, before } = facts
  return completeEvent({
    kind: 'pull_request',
    action: before === null ? 'opened' : 'synchronized',
    provider,
    repository: { full_name: repository },
    ref,
    branch: pullRequest.base.ref,
    before: before !== null && WHOLE.test(before) ? before : null,
    after: pullRequest.head.sha,
    pull_request: pullRequest,
    occurred_at: updatedAt,
  })
}

const WHOLE = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
