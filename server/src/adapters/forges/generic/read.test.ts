import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Event, PROVIDERS } from '@signalbox/contracts/event'
import { Value } from 'typebox/value'
import type { Reading } from '../port.ts'
import { generic } from './index.ts'
import { anEnvelope, aPushPayload } from './testing.ts'

const HEADERS = { 'content-type': 'application/json', 'webhook-id': 'msg_1', 'webhook-signature': 'v1,x' }

function read(payload: unknown, headers: Record<string, string> = HEADERS): Reading {
  const reading = generic.webhooks.read(headers, Buffer.from(JSON.stringify(payload)))
  if (reading.kind === 'events') {
    for (const found of reading.events) assert.deepEqual(Value.Errors(Event, found), [])
  }
  return reading
}

function readOne(payload: unknown): Event {
  const reading = read(payload)
  assert.ok(reading.kind === 'events' && reading.events.length === 1, JSON.stringify(reading))
  return reading.events[0]
}

function reasonOf(payload: unknown): string {
  const reading = read(payload)
  assert.equal(reading.kind, 'unreadable', JSON.stringify(reading))
  return reading.kind === 'unreadable' ? reading.reason : ''
}

const END = { ref: 'green', sha: 'b'.repeat(40), repository: 'acme/widgets' }
const PULL_REQUEST = {
  number: 7,
  title: 'Green',
  draft: false,
  labels: [],
  head: END,
  base: { ...END, ref: 'main' },
  from_fork: false,
  merged: false,
  author: null,
  web_url: null,
}

describe('a neutral event', () => {
  test('is the same as the body and in an envelope', () => {
    const { occurred_at: bare, ...event } = readOne(aPushPayload())
    const { occurred_at: enveloped, ...same } = readOne(anEnvelope(aPushPayload()))
    assert.deepEqual(event, same)
    assert.deepEqual([bare, enveloped], [null, '2026-11-21T10:00:00.123Z'])
  })

  test('needs no more than its kind and its repository', () => {
    const event = readOne({ kind: 'push', repository: { full_name: 'acme/web/widgets' } })
    assert.deepEqual([event.repository.owner, event.repository.name], ['acme/web', 'widgets'])
  })

  test('is about the branch or tag of its ref where it does not say so itself', () => {
    const event = (ref: string) => readOne({ kind: 'push', repository: { full_name: 'acme/widgets' }, ref })
    assert.equal(event('refs/heads/main').branch, 'main')
    assert.equal(event('refs/tags/v1').tag, 'v1')
  })

  test('is of the provider "generic", whichever it names', () => {
    for (const provider of [undefined, ...PROVIDERS])
      assert.equal(readOne(aPushPayload({ provider })).provider, 'generic')
    assert.match(reasonOf(aPushPayload({ provider: 'sourceforge' })), /The field provider must be one of github, /)
  })

  test('is refused with the field that is wrong', () => {
    for (const [payload, reason] of [
      [{}, /^The field kind is required\.$/],
      [{ type: 7 }, /^The field kind is required\.$/],
      [{ kind: 'push' }, /^The field repository is required\.$/],
      [{ kind: 'push', repository: {} }, /^The field repository\.full_name is required\.$/],
      [aPushPayload({ kind: 'pushed' }), /^The field kind must be one of push, tag, .*\.$/],
      [aPushPayload({ changedPaths: [] }), /^The field changedPaths is no known field; leave it out\.$/],
      [aPushPayload({ after: 'abc123' }), /^The field after must be a whole commit name in lower case\.$/],
      [aPushPayload({ after: '0'.repeat(40) }), /^The field after must be a whole commit name in lower case\.$/],
      [aPushPayload({ ref: 7 }), /^The field ref must be string\.$/],
      [aPushPayload({ ref: 'main' }), /^The field ref must be a full ref such as refs\/heads\/main\.$/],
      [aPushPayload({ branch: 'a..b' }), /^The field branch is no name of a branch\.$/],
      [aPushPayload({ branch: 'dev' }), /^The field branch names something else than ref; leave it out\.$/],
      [anEnvelope(aPushPayload({ tag: 'v1' })), /^The field data\.tag names something else than ref; leave it out\.$/],
      [aPushPayload({ tag: '' }), /^The field tag is no name of a tag\.$/],
      [
        aPushPayload({ repository: { full_name: 'widgets' } }),
        /^The field repository\.full_name must be owner\/name\.$/,
      ],
      [
        aPushPayload({ repository: { full_name: 'a/../b' } }),
        /^The field repository\.full_name must be owner\/name\.$/,
      ],
      [aPushPayload({ kind: 'pull_request' }), /^The field pull_request is required for pull_request\.$/],
      [
        anEnvelope(aPushPayload({ kind: 'pull_request_comment', pull_request: null })),
        /^The field data\.pull_request is required for pull_request_comment\.$/,
      ],
      [aPushPayload({ commits: [{}] }), /^The field commits\.0\.sha is required\.$/],
      [
        aPushPayload({ pull_request: { ...PULL_REQUEST, from_fork: null } }),
        /^The field pull_request\.from_fork must be/,
      ],
      [anEnvelope({ kind: 'push' }), /^The field data\.repository is required\.$/],
      [anEnvelope(aPushPayload({ ref: 'main' })), /^The field data\.ref must be a full ref/],
    ] as const) {
      assert.match(reasonOf(payload), reason)
    }
  })

  test('holds names and addresses only that Git and a page can safely take', () => {
    const pullRequest = (overrides: object) => aPushPayload({ pull_request: { ...PULL_REQUEST, ...overrides } })
    const repository = (overrides: object) => aPushPayload({ repository: { full_name: 'acme/widgets', ...overrides } })
    assert.equal(read(pullRequest({})).kind, 'events')
    for (const [payload, reason] of [
      [pullRequest({ head: { ...END, ref: '../x' } }), /pull_request\.head\.ref is no name/],
      [pullRequest({ base: { ...END, repository: 'a/..' } }), /pull_request\.base\.repository must be owner\/name/],
      [pullRequest({ web_url: 'javascript:alert(1)' }), /pull_request\.web_url must be an http/],
      [repository({ web_url: 'javascript:alert(1)' }), /repository\.web_url must be an http/],
      [repository({ clone_url: 'ext::sh' }), /repository\.clone_url names a transport helper/],
      [repository({ clone_url: '--upload-pack=id' }), /repository\.clone_url begins with "-"/],
      [
        repository({ clone_url: 'https://mona:token@git.example/a/b' }),
        /repository\.clone_url holds a user or a password/,
      ],
      [repository({ default_branch: 'a b' }), /repository\.default_branch is no name/],
    ] as const) {
      assert.match(reasonOf(payload), reason)
    }
    const hostile = 'zzz";echo${IFS}"hello";#'
    assert.equal(readOne(aPushPayload({ ref: `refs/heads/${hostile}`, branch: hostile })).branch, hostile)
  })

  test('holds no text that PostgreSQL refuses', () => {
    assert.match(reasonOf(aPushPayload({ sender: { login: 'a\0b' } })), /sender\.login holds a character/)
    const half = Buffer.from(JSON.stringify(aPushPayload({ action: 'X' })).replace('"X"', '"\\ud800"'))
    const reading = generic.webhooks.read(HEADERS, half)
    assert.match(reading.kind === 'unreadable' ? reading.reason : '', /action holds a character/)
  })

  test('repeats nothing of a body but what can be a field', () => {
    assert.equal(reasonOf(aPushPayload({ '<b>\n': 1 })), 'The field ?b?? is no known field; leave it out.')
    assert.ok(reasonOf(aPushPayload({ ['x'.repeat(5_000)]: 1 })).length < 300)
  })

  test('keeps as much as one of any other provider', () => {
    const commit = { sha: 'b'.repeat(40), message: 'm'.repeat(65_000), author: null, timestamp: null, web_url: null }
    const commits = Array.from({ length: 300 }, (_, index) => ({ ...commit, message: `${index}${commit.message}` }))
    const changed = Array.from({ length: 2_000 }, (_, index) => `${index}/${'d'.repeat(1_000)}`)
    const event = readOne(aPushPayload({ commits, changed_paths: changed, changed_paths_complete: true }))
    assert.equal(event.commits.length, 100)
    assert.equal(event.commits.at(-1)?.message.length, 4_096)
    assert.ok(event.commits.at(-1)?.message.startsWith('299'))
    assert.ok((event.changed_paths ?? []).join('').length <= 1_048_576)
    assert.equal(event.changed_paths_complete, false)
    assert.equal(
      readOne(aPushPayload({ changed_paths: ['a'], changed_paths_complete: true })).changed_paths_complete,
      true,
    )
    assert.equal(readOne(aPushPayload({ changed_paths_complete: true })).changed_paths_complete, false)
  })

  test('tells its times in UTC', () => {
    const commit = {
      sha: 'b'.repeat(40),
      message: '',
      author: null,
      timestamp: '2026-11-21T10:00:00+02:00',
      web_url: null,
    }
    const event = readOne(aPushPayload({ occurred_at: '2026-11-21T10:00:00+02:00', commits: [commit] }))
    assert.equal(event.occurred_at, '2026-11-21T08:00:00.000Z')
    assert.equal(event.commits[0]?.timestamp, '2026-11-21T08:00:00.000Z')
    assert.match(reasonOf(aPushPayload({ occurred_at: 'yesterday' })), /occurred_at/)
  })
})

describe('what is no Git event', () => {
  test('is understood as an envelope of something else', () => {
    const reading = read({ type: 'invoice.paid', timestamp: '2026-11-21T10:00:00Z', data: { amount: 7 } })
    assert.equal(reading.kind, 'nothing_runnable')
    assert.equal(reading.eventType, 'invoice.paid')
    assert.match(reading.kind === 'nothing_runnable' ? reading.reason : '', /data\.kind is required/)
  })

  test('may be a ping, in either form', () => {
    for (const payload of [
      { type: 'ping' },
      { kind: 'ping', repository: { full_name: 'acme/widgets' } },
      anEnvelope({ kind: 'ping', repository: { full_name: 'acme/widgets' } }, { type: 'ping' }),
    ]) {
      const reading = read(payload)
      assert.equal(reading.kind === 'nothing_runnable' && reading.cause, 'ping')
    }
  })
})

describe('the id of a delivery', () => {
  const idOf = (headers: Record<string, string | string[]>, payload: unknown = aPushPayload({ delivery_id: 'own' })) =>
    generic.webhooks.deliveryId(
      { 'content-type': 'application/json', ...headers },
      Buffer.from(JSON.stringify(payload)),
    )

  test('is what the signature covers: the header of Standard Webhooks, else the field of the event', () => {
    assert.equal(idOf({ 'webhook-id': 'msg_1', 'webhook-signature': 'v1,x' }), 'msg_1')
    assert.equal(idOf({ 'webhook-signature': 'v1,x' }), null)
    assert.equal(idOf({ 'webhook-id': 'msg_1' }), 'own')
    assert.equal(idOf({ 'idempotency-key': 'key' }), 'own')
    assert.equal(idOf({ 'webhook-id': 'msg_1' }, anEnvelope(aPushPayload({ delivery_id: 'own' }))), 'own')
  })

  test('is a header where the event names none', () => {
    assert.equal(idOf({ 'webhook-id': 'msg_1', 'idempotency-key': 'key' }, aPushPayload()), 'msg_1')
    assert.equal(idOf({ 'idempotency-key': 'key' }, aPushPayload()), 'key')
    assert.equal(idOf({}, aPushPayload()), null)
    assert.equal(idOf({ 'webhook-id': ['a', 'a'] }, aPushPayload()), null)
  })

  test('is the one in the event', () => {
    assert.equal(readOne(aPushPayload({ delivery_id: 'own' })).delivery_id, 'msg_1')
  })

  test('is the same when it is read again from the headers that were kept, less the signature', () => {
    const payload = aPushPayload({ delivery_id: 'own' })
    const kept = { ...HEADERS, 'webhook-signature': '(removed)' }
    assert.deepEqual(read(payload, kept), read(payload))
    assert.equal(idOf(kept, payload), 'msg_1')
  })
})
