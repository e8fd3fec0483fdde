import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { completeEvent, type Event } from '@signalbox/contracts/event'
import fc from 'fast-check'
import type { Reading } from '#adapters/forges'
import { aStoredSource } from '../testing.ts'
import { judgeReading } from './judge-reading.ts'
import { RepositoryNames } from './repository-names.ts'

const eventOf = (name: string): Event =>
  completeEvent({ kind: 'push', provider: 'github', repository: { id: '1', full_name: name } })
const eventsOf = (first: string, ...rest: readonly string[]): Reading => ({
  kind: 'events',
  eventType: 'push',
  action: null,
  events: [eventOf(first), ...rest.map(eventOf)],
})
const unmapped: Reading = {
  kind: 'nothing_runnable',
  cause: 'unmapped',
  eventType: 'star',
  action: null,
  repository: 'acme/widgets',
  reason: 'No trigger can use it.',
}

const SOURCE = '01900000-0000-7000-8000-000000000001'

/** The names that one repository, of id 1, had before. */
function namesOf(others: readonly string[]): RepositoryNames {
  const names = new RepositoryNames()
  for (const [at, name] of others.entries()) {
    const since = new Date(Date.UTC(2026, 0, 1 + at))
    names.put({ sourceId: SOURCE, name, repositoryId: '1', contested: false, since, revision: 1 + at })
  }
  return names
}

interface Knowing {
  readonly acknowledges?: boolean
  readonly others?: readonly string[]
  readonly ownLogin?: string
}

function judge(reading: Reading, { acknowledges = false, others = [], ownLogin }: Knowing = {}) {
  return judgeReading(reading, {
    source: aStoredSource({ id: SOURCE, acknowledgeUnmapped: acknowledges }),
    allows: (name) => name.startsWith('acme/'),
    names: namesOf(others),
    at: new Date(Date.UTC(2026, 10, 23)),
    ownLogin,
  })
}

describe('what a delivery of a proved sender becomes', () => {
  test('is refused where it cannot be read, in the words of its forge', () => {
    const reading: Reading = { kind: 'unreadable', eventType: null, reason: 'The body is empty.' }
    assert.deepEqual(judge(reading), { kind: 'refused', code: 'delivery.unreadable', reason: 'The body is empty.' })
  })

  test('is refused where nothing can use it, or ignored where the source acknowledges that', () => {
    const { reason } = unmapped
    assert.deepEqual(judge(unmapped), { kind: 'refused', code: 'delivery.nothing_runnable', reason })
    assert.deepEqual(judge(unmapped, { acknowledges: true }), { kind: 'ignored', reason })
  })

  test('is refused where one event is outside of the allowlist; the reason names an allowed former name', () => {
    const judged = judge(eventsOf('acme/widgets', 'other/gadgets'), { others: ['else/gadgets', 'acme/gadgets'] })
    assert.ok(judged.kind === 'refused')
    assert.equal(judged.code, 'delivery.repository_not_allowed')
    assert.match(judged.reason, /other\/gadgets/)
    assert.match(judged.reason, /acme\/gadgets/)
    assert.doesNotMatch(judged.reason, /else\/gadgets/)
  })

  test('of the own app is ignored, whoever else is called nearly so', () => {
    const reading = eventsOf('acme/widgets', 'acme/gadgets')
    assert.ok(reading.kind === 'events')
    const by = (...logins: readonly (string | null)[]): Reading => {
      const [first, ...rest] = logins.map((login) => {
        const sender = login === null ? null : { id: '9', login, name: null, email: null, bot: true }
        return { ...eventOf('acme/widgets'), sender }
      })
      assert.ok(first)
      return { ...reading, events: [first, ...rest] }
    }
    const kindOf = (given: Reading, ownLogin?: string) => judge(given, ownLogin === undefined ? {} : { ownLogin }).kind
    assert.equal(kindOf(by('Signalbox[bot]'), 'signalbox[bot]'), 'ignored')
    assert.equal(kindOf(by('signalbox[bot]', 'mona'), 'signalbox[bot]'), 'events')
    assert.equal(kindOf(by('signalbox'), 'signalbox[bot]'), 'events')
    assert.equal(kindOf(by(null), 'signalbox[bot]'), 'events')
    assert.equal(kindOf(by('signalbox[bot]')), 'events')
  })

  test('is its events, all of them in their order, exactly where each is allowed', () => {
    const names = fc.array(fc.constantFrom('acme/a', 'acme/b', 'other/c'), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(names, ([first = '', ...rest]) => {
        const reading = eventsOf(first, ...rest)
        const judged = judge(reading)
        const allowed = [first, ...rest].every((name) => name.startsWith('acme/'))
        assert.equal(judged.kind, allowed ? 'events' : 'refused')
        if (judged.kind === 'events' && reading.kind === 'events') assert.deepEqual(judged.events, reading.events)
      }),
    )
  })
})
