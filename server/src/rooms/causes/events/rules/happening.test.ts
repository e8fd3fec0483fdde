import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Event, EventPullRequest } from '@signalbox/contracts/event'
import fc from 'fast-check'
import { anEvent } from '../../../../../../contracts/src/event/testing.ts'
import { describeHappening, isSameUntil } from './index.ts'

const PULL_REQUEST: EventPullRequest = {
  number: 7,
  title: 'Green signals',
  draft: false,
  labels: ['ci', 'web'],
  head: { ref: 'topic', sha: 'c'.repeat(40), repository: 'acme/widgets' },
  base: { ref: 'main', sha: 'd'.repeat(40), repository: 'acme/widgets' },
  from_fork: false,
  merged: false,
  author: null,
  web_url: null,
}

function aPullRequestEvent(change: Partial<EventPullRequest> = {}, event: Partial<Event> = {}): Event {
  const pullRequest = { ...PULL_REQUEST, ...change }
  return anEvent({
    kind: 'pull_request',
    action: 'labeled',
    after: pullRequest.head.sha,
    before: null,
    pull_request: pullRequest,
    ...event,
  })
}

describe('what happened', () => {
  test('is the same whichever hook told, however it wrote the repository, and however much it listed', () => {
    const one = anEvent({ delivery_id: 'a', sender: null, occurred_at: '2026-11-21T10:00:00.000Z' })
    const other = anEvent({
      delivery_id: 'b',
      provider: 'gitea',
      occurred_at: '2026-11-21T11:00:00+01:00',
      repository: { full_name: 'ACME/Widgets' },
      changed_paths: null,
      changed_paths_complete: false,
    })
    assert.equal(describeHappening(one), describeHappening(other))
  })

  test('differs with every detail by which two changes differ', () => {
    const base = aPullRequestEvent()
    const others = [
      aPullRequestEvent({}, { action: 'unlabeled' }),
      aPullRequestEvent({ labels: ['ci'] }),
      aPullRequestEvent({ draft: true }),
      aPullRequestEvent({ title: 'Red signals' }),
      aPullRequestEvent({ number: 8 }),
      aPullRequestEvent({ head: { ...PULL_REQUEST.head, sha: 'e'.repeat(40) } }),
      aPullRequestEvent({ base: { ...PULL_REQUEST.base, ref: 'next' } }),
      aPullRequestEvent({}, { repository: { ...base.repository, full_name: 'acme/other' } }),
      aPullRequestEvent({}, { occurred_at: '2026-11-21T10:00:00.000Z' }),
      anEvent(),
      anEvent({ before: 'f'.repeat(40) }),
      anEvent({ ref: 'refs/heads/next' }),
    ]
    const texts = [base, ...others].map(describeHappening)
    assert.equal(new Set(texts).size, texts.length)
  })

  test('of a branch that goes forth, back, and forth again after it was told when is three changes', () => {
    const at = (before: string, after: string, minute: string) =>
      describeHappening(
        anEvent({ before: before.repeat(40), after: after.repeat(40), occurred_at: `2026-11-21T10:${minute}:00.000Z` }),
      )
    assert.equal(new Set([at('a', 'b', '01'), at('b', 'a', '02'), at('a', 'b', '03')]).size, 3)
  })

  test('of a review without an id depends on whose it is', () => {
    const by = (login: string, kind: Event['kind'] = 'pull_request_review') => {
      const author = { id: null, login, name: null, email: null, bot: null }
      const comment = { id: null, body: '', author, author_is_member: null, path: null, web_url: null }
      return describeHappening(aPullRequestEvent({}, { kind, action: 'approved', comment }))
    }
    assert.notEqual(by('mona'), by('ada'))
    assert.equal(by('mona'), by('mona'))
  })

  test('does not depend on the order of labels', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(['ci', 'web'], { minLength: 2 }), (labels) => {
        assert.equal(describeHappening(aPullRequestEvent({ labels })), describeHappening(aPullRequestEvent()))
      }),
    )
  })

  test('is not known of an event that names no commit, no comment and no time: two of them may be two changes', () => {
    assert.equal(describeHappening(anEvent({ before: null, after: null })), undefined)
    assert.notEqual(describeHappening(anEvent({ after: null })), undefined)
  })
})

test('a change that says when it happened is the same one for months, another one for ten minutes', () => {
  const receivedAt = new Date('2026-11-21T10:00:00.000Z')
  assert.equal(isSameUntil(anEvent(), receivedAt).toISOString(), '2026-11-21T10:10:00.000Z')
  const timed = isSameUntil(anEvent({ occurred_at: '2026-11-21T09:59:00.000Z' }), receivedAt)
  assert.ok(timed > new Date('2027-01-01T00:00:00.000Z'))
})
