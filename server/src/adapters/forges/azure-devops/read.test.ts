import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Event } from '@signalbox/contracts/event'
import { Value } from 'typebox/value'
import type { Reading } from '../port.ts'
import { azureDevops } from './index.ts'
import { aCommit, anEnvelope, aPushPayload, aRefUpdate, aRepository, authenticateDelivery } from './testing.ts'

const ZERO = '0'.repeat(40)

function read(payload: unknown): Reading {
  const { headers, body } = authenticateDelivery(payload, { credentials: 'unused:unused' })
  const reading = azureDevops.webhooks.read(headers, body)
  if (reading.kind === 'events') {
    for (const found of reading.events) assert.deepEqual(Value.Errors(Event, found), [])
  }
  return reading
}

function eventsOf(payload: unknown): readonly Event[] {
  const reading = read(payload)
  assert.ok(reading.kind === 'events', JSON.stringify(reading))
  return reading.events
}

describe('a delivery', () => {
  const idOf = (payload: unknown) => {
    const { headers, body } = authenticateDelivery(payload, { credentials: 'unused:unused' })
    return azureDevops.webhooks.deliveryId(headers, body)
  }

  test('is named by its event, or by its subscription and notification, or not at all', () => {
    const { id: _, ...rest } = aPushPayload()
    assert.equal(idOf(aPushPayload()), '03c164c2-8912-4d5e-8009-3707d5f83734')
    assert.equal(idOf(rest), '435e539d-3ce2-4283-8da9-8f3c0fe2e45e/14')
    assert.equal(idOf({ ...rest, notificationId: null }), null)
    assert.equal(idOf({ ...rest, subscriptionId: 7 }), null)
    assert.equal(idOf({ ...rest, id: 'a b' }), null)
    assert.equal(idOf({ ...rest, id: 'x'.repeat(201) }), null)
    assert.equal(idOf(Buffer.from('not JSON')), null)
    assert.equal(idOf(Buffer.alloc(0)), null)
  })

  test('that lacks what CVE-2025-59538 lacked is unreadable, and nothing breaks', () => {
    for (const resource of [
      undefined,
      null,
      {},
      { refUpdates: [aRefUpdate()] },
      { refUpdates: [aRefUpdate()], repository: null },
      { refUpdates: [aRefUpdate()], repository: { remoteUrl: 'https://dev.azure.com/acme/_git/x' } },
      { refUpdates: null, repository: aRepository() },
      { refUpdates: [null], repository: aRepository() },
      { refUpdates: [{}], repository: aRepository() },
    ]) {
      assert.equal(read(anEnvelope('git.push', resource)).kind, 'unreadable', JSON.stringify(resource))
    }
  })

  test('of a test says that it is one, before it asks for anything else', () => {
    const sample = { ...anEnvelope('git.push', null), subscriptionId: '00000000-0000-0000-0000-000000000000' }
    const reading = read(sample)
    assert.ok(reading.kind === 'nothing_runnable' && reading.cause === 'ping')
  })
})

describe('a push', () => {
  test('is an event for each of its updates, and those that cannot be read do not stop the others', () => {
    const refUpdates = [
      aRefUpdate({ ref: 'refs/heads/a..b' }),
      'main',
      aRefUpdate({ ref: 'main' }),
      aRefUpdate({ ref: 'refs/heads/next', before: ZERO }),
      aRefUpdate({ ref: 'refs/tags/v1', after: ZERO }),
      aRefUpdate({ before: ZERO, after: ZERO }),
    ]
    assert.deepEqual(
      eventsOf(aPushPayload({ refUpdates })).map(({ kind, action, ref, commits }) => [
        kind,
        action,
        ref,
        commits.length,
      ]),
      [
        ['push', 'created', 'refs/heads/next', 0],
        ['tag_deleted', 'deleted', 'refs/tags/v1', 0],
      ],
    )
  })

  test('has its commits oldest first, whichever way they came', () => {
    const first = aCommit('c'.repeat(40), 'First')
    const last = aCommit('b'.repeat(40), 'Last')
    for (const commits of [
      [last, first],
      [first, last],
    ]) {
      const [event] = eventsOf(aPushPayload({ commits }))
      assert.deepEqual(
        event?.commits.map(({ message }) => message),
        ['First', 'Last'],
      )
    }
    assert.equal(eventsOf(aPushPayload({ commits: [last] }))[0]?.commits.length, 1)
  })

  test('links to no address of the API', () => {
    const page = 'https://dev.azure.com/acme/_git/widgets/commit/b'
    const linkOf = (url: unknown) =>
      eventsOf(aPushPayload({ commits: [{ ...aCommit('b'.repeat(40)), url }] }))[0]?.commits[0]?.web_url
    assert.equal(linkOf(page), page)
    assert.equal(linkOf('https://dev.azure.com/acme/_apis/git/commits/b'), null)
    assert.equal(linkOf('javascript:alert("/_git/")'), null)
  })
})

describe('a pull request', () => {
  const pull = (overrides: object, type = 'created') =>
    anEnvelope(`git.pullrequest.${type}`, {
      repository: aRepository(),
      pullRequestId: 7,
      status: 'active',
      mergeStatus: 'succeeded',
      title: 'Amber',
      sourceRefName: 'refs/heads/amber',
      targetRefName: 'refs/heads/main',
      lastMergeSourceCommit: { commitId: 'e'.repeat(40) },
      ...overrides,
    })

  test('counts as from a fork whenever one is named or no source branch is', () => {
    const fromFork = (overrides: object) => eventsOf(pull(overrides))[0]?.pull_request?.from_fork
    assert.equal(fromFork({}), false)
    assert.equal(fromFork({ forkSource: null }), false)
    for (const forkSource of [{}, { repository: null }, [], 7, false]) assert.equal(fromFork({ forkSource }), true)
    for (const sourceRefName of [null, undefined, 'amber', 'refs/tags/v1'])
      assert.equal(fromFork({ sourceRefName }), true)
  })

  test('is merged only when it is completed: a merge is attempted at every push', () => {
    const actionOf = (overrides: object, type: string) => {
      const reading = read(pull(overrides, type))
      return reading.kind === 'events' ? reading.events[0].action : reading.kind
    }
    assert.equal(actionOf({}, 'merged'), 'nothing_runnable')
    assert.equal(actionOf({ status: 'completed' }, 'merged'), 'merged')
    assert.equal(actionOf({ status: 'completed', mergeStatus: 'conflicts' }, 'merged'), 'nothing_runnable')
    assert.equal(actionOf({ status: 'abandoned' }, 'merged'), 'nothing_runnable')
    assert.equal(actionOf({ status: 'completed' }, 'updated'), 'merged')
    assert.equal(actionOf({ status: 'abandoned' }, 'updated'), 'closed')
    assert.equal(actionOf({ status: '__proto__' }, 'updated'), 'updated')
    assert.equal(actionOf({ status: undefined }, 'updated'), 'updated')
  })

  test('that is completed happens once, however many types of event tell it', () => {
    const told = (type: string, createdDate: string) =>
      eventsOf({ ...pull({ status: 'completed', closedDate: '2026-11-21T09:50:00.1234567Z' }, type), createdDate })
    assert.deepEqual(told('updated', '2026-11-21T09:50:01Z'), told('merged', '2026-11-21T09:50:09Z'))
    assert.equal(told('updated', '2026-11-21T09:50:01Z')[0]?.occurred_at, '2026-11-21T09:50:00.123Z')
  })

  test('names the author as the sender only when it was made: nobody else is said', () => {
    const createdBy = { id: '1', uniqueName: 'mona@example.com' }
    assert.equal(eventsOf(pull({ createdBy }))[0]?.sender?.login, 'mona@example.com')
    assert.equal(eventsOf(pull({ createdBy }, 'updated'))[0]?.sender, null)
  })

  test('has comments whose ids differ from thread to thread', () => {
    const idOf = (self: unknown) => {
      const comment = { id: 1, content: '/run', _links: { self: { href: self } } }
      const { resource } = pull({})
      const type = 'ms.vss-code.git-pullrequest-comment-event'
      return eventsOf(anEnvelope(type, { comment, pullRequest: resource }))[0]?.comment?.id
    }
    assert.equal(idOf('https://dev.azure.com/acme/_apis/git/repositories/x/pullRequests/7/threads/5/comments/1'), '5/1')
    assert.equal(idOf('https://dev.azure.com/acme/_apis/git/repositories/x/pullRequests/7/threads/6/comments/1'), '6/1')
    assert.equal(idOf(undefined), '1')
  })
})
