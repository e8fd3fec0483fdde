import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Event, EventPullRequest } from '@signalbox/contracts/event'
import { anEvent } from '../../../../../../contracts/src/event/testing.ts'
import {
  completeFromAsked,
  completeFromHead,
  type KnownHead,
  needsAskedHead,
  needsKnownHead,
  tellsHeadByItself,
} from './index.ts'

const HEAD = 'c'.repeat(40)
const nowhere = { ref: null, sha: null, repository: null }
const KNOWN: KnownHead = {
  headSha: HEAD,
  ref: 'refs/pull/7/head',
  occurredAt: '2026-11-21T10:00:00.000Z',
  pullRequest: aPullRequest({
    head: { ref: 'topic', sha: HEAD, repository: 'acme/widgets' },
    base: { ref: 'main', sha: 'd'.repeat(40), repository: 'acme/widgets' },
    from_fork: false,
    draft: true,
  }),
}

function aPullRequest(change: Partial<EventPullRequest> = {}): EventPullRequest {
  return {
    number: 7,
    title: 'Green signals',
    draft: null,
    labels: ['ci'],
    head: nowhere,
    base: nowhere,
    from_fork: true,
    merged: null,
    author: null,
    web_url: null,
    ...change,
  }
}

function aComment(event: Partial<Event> = {}): Event {
  return anEvent({
    kind: 'pull_request_comment',
    action: 'created',
    ref: null,
    branch: null,
    before: null,
    after: null,
    pull_request: aPullRequest({ title: 'As the comment shows it' }),
    occurred_at: '2026-11-21T10:05:00.000Z',
    ...event,
  })
}

describe('an update that does not say what changed', () => {
  const updated = (after: string | null): Event =>
    anEvent({ kind: 'pull_request', action: 'updated', before: null, after, pull_request: aPullRequest() })

  test('is an edit only where the head is the one seen last', () => {
    assert.equal(completeFromHead(updated(HEAD), KNOWN).action, 'edited')
    assert.equal(completeFromHead(updated('e'.repeat(40)), KNOWN).action, 'synchronized')
    assert.equal(completeFromHead(updated(null), KNOWN).action, 'synchronized')
    assert.equal(completeFromHead(updated(HEAD), undefined).action, 'synchronized')
  })

  test('is the one action of pull requests that needs to be looked up', () => {
    assert.equal(needsKnownHead(updated(HEAD)), true)
    assert.equal(needsKnownHead({ ...updated(HEAD), action: 'opened' }), false)
    assert.equal(needsKnownHead(anEvent()), false)
  })
})

describe('a comment without a commit', () => {
  test('is about the head that was there when it was written', () => {
    const event = completeFromHead(aComment(), KNOWN)
    assert.equal(event.after, HEAD)
    assert.equal(event.ref, 'refs/pull/7/head')
    assert.equal(event.branch, 'main')
    assert.equal(event.pull_request?.from_fork, false)
    assert.equal(event.pull_request?.draft, true)
    assert.equal(event.pull_request?.title, 'As the comment shows it')
  })

  test('is not about later commits: their author would choose the started runs', () => {
    const event = aComment({ occurred_at: '2026-11-21T09:59:59.999Z' })
    assert.equal(completeFromHead(event, KNOWN), event)
  })

  test('stays as it is where nothing is known: from nowhere, as from a fork', () => {
    const event = aComment()
    assert.equal(completeFromHead(event, undefined), event)
    assert.equal(event.pull_request?.from_fork, true)
  })

  test('that names its commit is not touched', () => {
    const event = aComment({ after: 'e'.repeat(40) })
    assert.equal(needsKnownHead(event), false)
    assert.equal(completeFromHead(event, KNOWN), event)
  })
})

describe('the head that the provider names when asked', () => {
  const asked = { headSha: 'e'.repeat(40), headRef: 'topic', baseRef: 'main', fromFork: false }

  test('completes a pull request whose event leaves its commit out, and never makes a fork less of one', () => {
    const event = anEvent({ kind: 'pull_request', action: 'opened', after: null, pull_request: aPullRequest() })
    assert.equal(needsAskedHead(event), true)
    const complete = completeFromAsked(event, asked)
    assert.equal(complete.after, asked.headSha)
    assert.equal(complete.pull_request?.head.sha, asked.headSha)
    assert.equal(complete.pull_request?.from_fork, true)
  })

  test('completes a comment, but not on a fork: what it holds now may have come after the comment', () => {
    assert.equal(completeFromAsked(aComment(), asked).after, asked.headSha)
    assert.equal(completeFromAsked(aComment(), asked).pull_request?.from_fork, false)
    const event = aComment()
    assert.equal(completeFromAsked(event, { ...asked, fromFork: true }), event)
  })

  test('is not asked for where the event says it', () => {
    assert.equal(needsAskedHead(anEvent()), false)
    assert.equal(needsAskedHead(aComment({ after: HEAD })), false)
    assert.equal(completeFromAsked(anEvent(), asked).after, anEvent().after)
  })
})

describe('a head that its provider names in part', () => {
  const inPart = (prefix: string, event: Partial<Event> = {}): Event => {
    const pull_request = aPullRequest({ from_fork: false, head: { ...nowhere, sha_prefix: prefix } })
    return aComment({ pull_request, ...event })
  }
  const updated = { kind: 'pull_request', action: 'updated' } as const
  const unasked: KnownHead = {
    ...KNOWN,
    headSha: null,
    pullRequest: aPullRequest({ head: { ...nowhere, sha_prefix: 'cccccccccccc' } }),
  }

  test('is the one seen last where it begins so, and then has its whole name', () => {
    const { action, after, pull_request: pullRequest } = completeFromHead(inPart('cccccccccccc', updated), KNOWN)
    assert.deepEqual([action, after, pullRequest?.head.sha], ['edited', HEAD, HEAD])
    assert.equal(completeFromHead(inPart('cccccccccccd', updated), KNOWN).action, 'synchronized')
    const { action: same, after: unknown } = completeFromHead(inPart('cccccccccccc', updated), unasked)
    assert.deepEqual([same, unknown], ['edited', null])
  })

  test('is what a comment is about: one that was seen before and begins otherwise is not taken', () => {
    assert.equal(completeFromHead(inPart('cccccccccccc'), KNOWN).after, HEAD)
    assert.equal(completeFromHead(inPart('dddddddddddd'), KNOWN).after, null)
    assert.equal(completeFromHead(inPart('cccccccccccc'), unasked).after, null)
  })

  test('is what a review is about, as of a comment', () => {
    const review = { kind: 'pull_request_review', action: 'approved' } as const
    assert.equal(completeFromHead(inPart('cccccccccccc', review), KNOWN).after, HEAD)
    assert.equal(completeFromHead(inPart('dddddddddddd', review), KNOWN).after, null)
    const now = { headSha: HEAD, headRef: 'topic', baseRef: 'main', fromFork: false }
    assert.equal(completeFromAsked(inPart('cccccccccccc', review), now).after, HEAD)
    assert.equal(completeFromAsked(inPart('cccccccccccc', review), { ...now, fromFork: true }).after, null)
  })

  test('is not a head of now that begins otherwise', () => {
    const now = { headSha: HEAD, headRef: 'topic', baseRef: 'main', fromFork: false }
    assert.equal(completeFromAsked(inPart('cccccccccccc'), now).after, HEAD)
    assert.equal(completeFromAsked(inPart('dddddddddddd'), now).after, null)
  })
})

test('the head of now is that of a comment only where no fork could have moved it since', () => {
  const of = (from_fork: boolean) => aComment({ pull_request: aPullRequest({ from_fork }) })
  assert.deepEqual([tellsHeadByItself(of(false)), tellsHeadByItself(of(true))], [true, false])
  assert.ok(tellsHeadByItself(anEvent({ kind: 'pull_request', pull_request: aPullRequest() })))
})
