import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Event } from '@signalbox/contracts/event'
import { Value } from 'typebox/value'
import type { Reading } from '../port.ts'
import { bitbucketDatacenter } from './index.ts'
import { aChange, aPushPayload, signDelivery } from './testing.ts'

const ZERO = '0'.repeat(40)

function read(payload: unknown, event?: string): Reading {
  const { headers, body } = signDelivery(payload, { secret: 'unused', ...(event === undefined ? {} : { event }) })
  const reading = bitbucketDatacenter.webhooks.read(headers, body)
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
      aChange({ ref: 'refs/heads/a..b' }),
      7,
      aChange({ ref: 'refs/heads/next', from: ZERO }),
      { ...aChange({ ref: 'refs/heads/added' }), type: 'ADD' },
      aChange({ ref: 'refs/tags/v1', to: ZERO }),
      aChange({ ref: 'refs/notes/commits' }),
    ]
    assert.deepEqual(
      eventsOf(aPushPayload({ changes })).map(({ kind, action, ref }) => [kind, action, ref]),
      [
        ['push', 'created', 'refs/heads/next'],
        ['push', 'created', 'refs/heads/added'],
        ['tag_deleted', 'deleted', 'refs/tags/v1'],
      ],
    )
  })

  test('without any change that can be read is unreadable', () => {
    for (const changes of [[{}], [aChange({ from: ZERO, to: ZERO })], [aChange({ to: 'abc' })], 'main']) {
      assert.equal(read({ ...aPushPayload(), changes }).kind, 'unreadable', JSON.stringify(changes))
    }
  })

  test('names the ref by refId where a change has no ref of its own', () => {
    const { ref: _, ...change } = aChange({ ref: 'refs/heads/next' })
    assert.equal(eventsOf(aPushPayload({ changes: [change] }))[0]?.branch, 'next')
  })

  test("to a person's own repository is named with a tilde, and nothing else is", () => {
    const [event] = eventsOf(aPushPayload({ key: '~MONA' }))
    assert.equal(event?.repository.full_name, '~MONA/widgets')
    assert.equal(event?.repository.owner, '~MONA')
    for (const [key, slug] of [
      ['~', 'widgets'],
      ['ACME', '~widgets'],
      ['ACME', '..'],
      ['ACME/x', 'widgets'],
      ['ACME', 'x/widgets'],
      ['ACME', ''],
      ['A ME', 'widgets'],
    ] as const) {
      assert.equal(read(aPushPayload({ key, slug })).kind, 'unreadable', `${key}/${slug}`)
    }
  })

  test('has a clone address only where one is said or follows from the page', () => {
    const cloneOf = (links: unknown) => {
      const payload = aPushPayload()
      const repository = { ...Object(payload['repository']), links }
      return eventsOf({ ...payload, repository })[0]?.repository.clone_url
    }
    const page = (href: string) => cloneOf({ self: [{ href }] })
    assert.equal(
      page('https://git.example.com/bb/projects/ACME/repos/widgets/browse'),
      'https://git.example.com/bb/scm/acme/widgets.git',
    )
    assert.equal(
      page('https://git.example.com/users/mona/repos/widgets'),
      'https://git.example.com/scm/acme/widgets.git',
    )
    assert.equal(page('https://git.example.com/somewhere'), null)
    assert.equal(page('javascript:alert(1)'), null)
    assert.equal(cloneOf({ clone: [{ name: 'http', href: 'ext::sh -c id' }] }), 'ext::sh -c id')
    assert.equal(cloneOf({ clone: [{ name: 'ssh', href: 'ssh://git@git.example.com/acme/widgets.git' }] }), null)
    assert.equal(cloneOf(undefined), null)
  })

  test('keeps all digits of an id that no JavaScript number holds', () => {
    const text = JSON.stringify(aPushPayload()).replace('"id":84', '"id":12345678901234567890')
    assert.equal(eventsOf(Buffer.from(text))[0]?.repository.id, '12345678901234567890')
  })
})

describe('a pull request', () => {
  const own = { id: 84, slug: 'widgets', project: { key: 'ACME' } }
  const pull = (from: unknown, more: object = {}, event = 'pr:opened') => {
    const toRef = { id: 'refs/heads/main', displayId: 'main', latestCommit: 'a'.repeat(40), repository: own }
    const fromRef = { id: 'refs/heads/amber', displayId: 'amber', latestCommit: 'e'.repeat(40), repository: from }
    return eventsOf({ pullRequest: { id: 7, title: 'Amber', state: 'OPEN', fromRef, toRef }, ...more }, event)[0]
  }

  test('counts as from a fork whenever its origin is not certain', () => {
    assert.equal(pull(own)?.pull_request?.from_fork, false)
    for (const repository of [{ ...own, id: 85 }, null, undefined, {}, [], { ...own, id: null }]) {
      assert.equal(pull(repository)?.pull_request?.from_fork, true)
    }
  })

  test('that was modified is said as precisely as Bitbucket says it', () => {
    const action = (more: object) => pull(own, more, 'pr:modified')?.action
    assert.equal(action({ previousTitle: 'Yellow' }), 'edited')
    assert.equal(action({ previousTarget: { id: 'refs/heads/main' } }), 'edited')
    assert.equal(action({ previousTarget: { id: 'refs/heads/next' } }), 'synchronized')
    assert.equal(action({ previousDraft: true }), 'edited')
  })

  test('without a number, or into a repository that has no name, is unreadable', () => {
    assert.equal(read({ pullRequest: {} }, 'pr:opened').kind, 'unreadable')
    assert.equal(read({ pullRequest: { id: 7, toRef: { repository: {} } } }, 'pr:merged').kind, 'unreadable')
    assert.equal(read({ pullRequest: { id: 7, toRef: { repository: own } } }, 'pr:comment:added').kind, 'unreadable')
  })
})

test('a clone link may be named https', () => {
  const payload = aPushPayload()
  const clone = [{ href: 'https://git.example.com/scm/acme/widgets.git', name: 'https' }]
  const repository = { ...Object(payload['repository']), links: { clone } }
  const [event] = eventsOf({ ...payload, repository })
  assert.equal(event?.repository.clone_url, 'https://git.example.com/scm/acme/widgets.git')
})
