import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Event } from '@signalbox/contracts/event'
import { Value } from 'typebox/value'
import type { Reading } from '../port.ts'
import { bitbucket } from './index.ts'
import { aChange, aCommit, aPushPayload, signDelivery } from './testing.ts'

function read(payload: unknown, event = 'repo:push'): Reading {
  const { headers, body } = signDelivery(payload, { secret: 'unused', event })
  const reading = bitbucket.webhooks.read(headers, body)
  if (reading.kind === 'events') {
    for (const found of reading.events) assert.deepEqual(Value.Errors(Event, found), [])
  }
  return reading
}

function eventsOf(payload: unknown, event?: string): readonly Event[] {
  const reading = read(payload, event)
  assert.ok(reading.kind === 'events', JSON.stringify(reading))
  return reading.events
}

describe('a push', () => {
  test('is an event for each of its changes, and those that cannot be read do not stop the others', () => {
    const changes = [
      aChange({ name: 'a..b' }),
      null,
      aChange({ name: 'next' }),
      {},
      aChange({ type: 'tag', after: null }),
    ]
    assert.deepEqual(
      eventsOf(aPushPayload({ changes })).map(({ kind, ref }) => [kind, ref]),
      [
        ['push', 'refs/heads/next'],
        ['tag_deleted', 'refs/tags/main'],
      ],
    )
  })

  test('without any change that can be read is unreadable', () => {
    for (const changes of [[{}], [aChange({ before: null, after: null })], [aChange({ after: 'abc' })]]) {
      assert.equal(read(aPushPayload({ changes })).kind, 'unreadable')
    }
    assert.equal(read({ ...aPushPayload(), push: {} }).kind, 'unreadable')
  })

  test('takes an abbreviated commit for none at all', () => {
    const [event] = eventsOf(aPushPayload({ changes: [aChange({ before: 'a'.repeat(12) })] }))
    assert.equal(event?.before, null)
  })

  test('of more refs than anyone pushes by hand starts nothing', () => {
    const many = Array.from({ length: 1_001 }, (_, index) => aChange({ name: `b${index}` }))
    assert.equal(eventsOf(aPushPayload({ changes: many.slice(1) })).length, 1_000)
    const reading = read(aPushPayload({ changes: many }))
    assert.ok(reading.kind === 'nothing_runnable' && reading.repository === 'acme/widgets')
  })

  test('keeps the author that Git has, and an account where Bitbucket knows one', () => {
    const author = (overrides: object) => {
      const commit = { ...aCommit('b'.repeat(40)), author: { type: 'author', ...overrides } }
      const [event] = eventsOf(aPushPayload({ changes: [{ ...aChange(), commits: [commit] }] }))
      return event?.commits[0]?.author
    }
    const nobody = { id: null, login: null, name: null, email: null, bot: null }
    assert.deepEqual(author({ raw: 'Mona Lisa <mona@example.com>' }), {
      ...nobody,
      name: 'Mona Lisa',
      email: 'mona@example.com',
    })
    assert.deepEqual(author({ raw: '<mona@example.com>' }), { ...nobody, email: 'mona@example.com' })
    assert.deepEqual(author({ raw: 'robot', user: { display_name: 'Robot', username: 'robot' } }), {
      ...nobody,
      login: 'robot',
      name: 'Robot',
    })
    assert.equal(author({ raw: 'a <b> c <d>' }), null)
    assert.equal(author({}), null)
  })

  test('has the id of its delivery from X-Request-UUID only', () => {
    const { headers, body } = signDelivery(aPushPayload(), { secret: 'unused' })
    const { 'x-request-uuid': id, ...rest } = headers
    assert.equal(bitbucket.webhooks.deliveryId(headers, body), id)
    assert.equal(bitbucket.webhooks.deliveryId(rest, body), null)
    assert.equal(bitbucket.webhooks.deliveryId({ 'x-request-uuid': [id ?? '', id ?? ''] }, body), null)
  })
})

describe('a pull request', () => {
  const uuid = '{898477b2-a080-4089-b385-597a783db392}'
  const end = (name: string, repository: unknown) => ({
    branch: { name },
    commit: { hash: 'e'.repeat(12) },
    repository,
  })
  const pull = (source: unknown, destination: unknown) => {
    const pullrequest = { id: 7, title: 'Amber', state: 'OPEN', source, destination }
    return eventsOf({ ...aPushPayload(), pullrequest }, 'pullrequest:created')[0]
  }
  const own = { full_name: 'acme/widgets', uuid }

  test('counts as from a fork whenever its origin is not certain, and then no ref of it is here', () => {
    assert.equal(pull(end('amber', own), end('main', own))?.pull_request?.from_fork, false)
    assert.equal(pull(end('amber', { ...own, uuid: '{other}' }), end('main', own))?.pull_request?.from_fork, true)
    for (const unknown of [null, undefined, {}, [], { uuid: null }]) {
      const event = pull(end('amber', unknown), end('main', own))
      assert.equal(event?.pull_request?.from_fork, true)
      assert.equal(event?.ref, null)
      assert.equal(pull(end('amber', own), end('main', unknown))?.pull_request?.from_fork, true)
      assert.equal(pull(end('amber', unknown), end('main', unknown))?.pull_request?.from_fork, true)
    }
  })

  test('is of a commit only when that is named in full', () => {
    assert.equal(pull(end('amber', own), end('main', own))?.after, null)
    const whole = { ...end('amber', own), commit: { hash: 'e'.repeat(40) } }
    assert.equal(pull(whole, end('main', own))?.after, 'e'.repeat(40))
  })
})
