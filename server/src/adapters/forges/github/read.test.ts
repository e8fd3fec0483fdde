import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Event, PULL_REQUEST_ACTIONS } from '@signalbox/contracts/event'
import { Value } from 'typebox/value'
import { isObject } from '../json-object.ts'
import type { Reading } from '../port.ts'
import { github } from './index.ts'
import { aCommit, aPushPayload, signDelivery } from './testing.ts'

const ONLY_EVENT = { secret: 'unused', deliveryId: '72d3162e-cc78-11e3-81ab-4c9367dc0958' }

function read(event: string, payload: unknown): Reading {
  const { headers, body } = signDelivery(payload, { ...ONLY_EVENT, event })
  const reading = github.webhooks.read(headers, body)
  if (reading.kind === 'events') {
    for (const found of reading.events) assert.deepEqual(Value.Errors(Event, found), [])
  }
  return reading
}

function readOne(event: string, payload: unknown): Event {
  const reading = read(event, payload)
  assert.equal(reading.kind, 'events', JSON.stringify(reading))
  assert.ok(reading.kind === 'events' && reading.events.length === 1)
  return reading.events[0]
}

describe('a push', () => {
  test('keeps all digits of an id that no JavaScript number holds', () => {
    const text = JSON.stringify(aPushPayload()).replaceAll('186853002', '12345678901234567890')
    assert.equal(readOne('push', Buffer.from(text)).repository.id, '12345678901234567890')
  })

  test('names its changed paths completely only when nothing can be missing', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => `src/${index}.ts`)
    const complete = (overrides: object) => readOne('push', aPushPayload(overrides)).changed_paths_complete
    assert.equal(complete({}), true)
    assert.equal(complete({ forced: true }), false)
    assert.equal(complete({ created: true }), false)
    assert.equal(complete({ commits: Array.from({ length: 2_047 }, () => aCommit()) }), true)
    assert.equal(complete({ commits: Array.from({ length: 2_048 }, () => aCommit()) }), false)
    assert.equal(complete({ commits: [aCommit({ added: many })] }), false)
    assert.equal(complete({ commits: [aCommit({ removed: null })] }), false)
    assert.equal(complete({ commits: [aCommit({ added: ['a\0b'] })] }), false)
    assert.equal(complete({ commits: ['no commit'] }), false)
  })

  test('cuts what is longer than any real push, and says so', () => {
    const long = Array.from({ length: 2_900 }, (_, index) => `${index}/${'d'.repeat(1_000)}`)
    const event = readOne('push', aPushPayload({ commits: [aCommit({ added: long, message: 'm'.repeat(100_000) })] }))
    assert.equal(event.changed_paths_complete, false)
    assert.ok((event.changed_paths ?? []).join('').length <= 1_048_576)
    assert.equal(event.commits[0]?.message.length, 4_096)
    const commits = Array.from({ length: 300 }, (_, index) => aCommit({ message: String(index) }))
    const kept = readOne('push', aPushPayload({ commits })).commits
    assert.equal(kept.length, 100)
    assert.equal(kept.at(-1)?.message, '299')
  })

  test('holds no text that PostgreSQL refuses', () => {
    const body = JSON.stringify(aPushPayload({ commits: [aCommit({ message: 'a\0b\ud800c' })] }))
    assert.equal(readOne('push', Buffer.from(body)).commits[0]?.message, 'a\uFFFDb\uFFFDc')
  })

  test('takes over addresses for a page only when it can safely open them, and keeps what is no address to clone from', () => {
    const commits = [aCommit({ url: 'javascript:alert(1)' })]
    const cloneOf = (url: string) =>
      readOne('push', aPushPayload({ repository: { clone_url: url } })).repository.clone_url
    assert.equal(readOne('push', aPushPayload({ commits })).commits[0]?.web_url, null)
    assert.equal(cloneOf('https://mona:token@github.com/acme/widgets.git'), 'https://github.com/acme/widgets.git')
    assert.equal(cloneOf('file:///srv/git/widgets.git'), 'file:///srv/git/widgets.git')
    assert.equal(cloneOf(''), null)
    assert.equal(cloneOf('https://a/\0b\ud800'), 'https://a/ b\ufffd')
    assert.equal(cloneOf(`https://a/${'b'.repeat(5_000)}`)?.length, 4_096)
    for (const url of ['ext::sh -c id', '--upload-pack=id', '/etc', 'https://a b/c', 'https://a/b\nc']) {
      assert.equal(cloneOf(url), url)
    }
  })
})

describe('a pull request', () => {
  const { payload } = JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/pull-request-opened.json'), 'utf8'))

  test('of an action that is not in the table is "other", never an error', () => {
    assert.equal(readOne('pull_request', { ...payload, action: 'teleported' }).action, 'other')
    assert.equal(readOne('pull_request', { ...payload, action: 7 }).action, 'other')
  })

  test('counts as from a fork whenever its origin is not certain', () => {
    const { head, base } = payload.pull_request
    const fromFork = (ends: object) =>
      readOne('pull_request', { ...payload, pull_request: { ...payload.pull_request, ...ends } }).pull_request
        ?.from_fork
    assert.equal(fromFork({}), false)
    assert.equal(fromFork({ head: { ...head, repo: { ...head.repo, id: 7 } } }), true)
    for (const repo of [null, undefined, {}, [], { id: null }]) {
      assert.equal(fromFork({ head: { ...head, repo } }), true)
      assert.equal(fromFork({ base: { ...base, repo } }), true)
      assert.equal(fromFork({ head: { ...head, repo }, base: { ...base, repo } }), true)
    }
  })
})

describe('every example of @octokit/webhooks-examples', () => {
  const KINDS: ReadonlyMap<string, readonly Event['kind'][]> = new Map([
    ['push', ['push', 'tag', 'branch_deleted', 'tag_deleted']],
    ['pull_request', ['pull_request']],
    ['pull_request_review_comment', ['pull_request_comment']],
    ['pull_request_review', ['pull_request_review']],
    ['deployment', ['deployment']],
    ['release', ['release']],
    ['create', ['ref']],
    ['delete', ['ref']],
    ['repository', ['repository']],
  ])
  /** The types that are mapped for some of their actions only. */
  const kindsOfAction = (type: string, payload: unknown): readonly Event['kind'][] | undefined => {
    const action = isObject(payload) ? payload['action'] : undefined
    if (type === 'check_run' || type === 'check_suite') return action === 'rerequested' ? ['check'] : undefined
    if (type === 'merge_group') return ['merge_group']
    if (type === 'deployment_status') return ['deployment_status']
    return type === 'repository_dispatch' ? ['dispatch'] : undefined
  }
  const folder = join(import.meta.dirname, '../../../../../node_modules/@octokit/webhooks-examples')
  const sets = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())

  for (const { name } of sets) {
    const groups: { name: string; examples: unknown[] }[] = JSON.parse(
      readFileSync(join(folder, name, 'index.json'), 'utf8'),
    )
    const examplesOf = (event: string) => groups.find((group) => group.name === event)?.examples ?? []

    test(`of ${name} becomes an event when its type is mapped, and nothing runnable otherwise`, () => {
      assert.ok(groups.length > 40)
      for (const event of [...KINDS.keys(), 'issue_comment', 'ping']) {
        assert.notEqual(examplesOf(event).length, 0, event)
      }
      for (const group of groups) {
        for (const payload of group.examples) {
          const kinds = KINDS.get(group.name) ?? kindsOfAction(group.name, payload)
          const reading = read(group.name, payload)
          const told = `${group.name}: ${JSON.stringify(reading).slice(0, 300)}`
          assert.equal(reading.kind, kinds === undefined ? 'nothing_runnable' : 'events', told)
          if (reading.kind === 'nothing_runnable') {
            assert.equal(reading.cause, group.name === 'ping' ? 'ping' : 'unmapped', told)
          }
          if (reading.kind !== 'events') continue
          const [event] = reading.events
          assert.ok(kinds?.includes(event.kind), told)
          assert.notEqual(event.action, 'other', told)
          if (event.kind === 'pull_request') assert.ok(PULL_REQUEST_ACTIONS.some((action) => action === event.action))
          if (event.kind === 'push' || event.kind === 'pull_request') assert.notEqual(event.after, null, told)
        }
      }
    })

    test(`of ${name} that is a comment on an issue is one on a pull request as soon as the issue says so`, () => {
      for (const payload of examplesOf('issue_comment')) {
        assert.ok(isObject(payload) && isObject(payload['issue']))
        const link = { html_url: 'https://github.com/Codertocat/Hello-World/pull/1', merged_at: null }
        const event = readOne('issue_comment', { ...payload, issue: { ...payload['issue'], pull_request: link } })
        assert.equal(event.kind, 'pull_request_comment')
        assert.equal(event.action, payload['action'])
        assert.equal(event.pull_request?.from_fork, true)
        assert.equal(event.after, null)
        assert.notEqual(event.comment?.body, '')
      }
    })
  }
})
