import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Event } from '@signalbox/contracts/event'
import { Value } from 'typebox/value'
import { forgejo } from '../forgejo/index.ts'
import { signDelivery as signForgejo } from '../forgejo/testing.ts'
import { gogs } from '../gogs/index.ts'
import { aPushPayload as aGogsPush, signDelivery as signGogs } from '../gogs/testing.ts'
import type { Forge, Reading } from '../port.ts'
import { gitea } from './index.ts'
import { aCommit, aPushPayload, type PushOverrides, type SignedDelivery, signDelivery } from './testing.ts'

const ANY = { secret: 'unused' }
const ZERO = '0'.repeat(40)

function readBy({ webhooks }: Forge, { headers, body }: SignedDelivery): Reading {
  const reading = webhooks.read(headers, body)
  if (reading.kind === 'events') {
    for (const found of reading.events) assert.deepEqual(Value.Errors(Event, found), [])
  }
  return reading
}

function one(reading: Reading): Event {
  assert.ok(reading.kind === 'events' && reading.events.length === 1, JSON.stringify(reading))
  return reading.events[0]
}

const readPush = (overrides: PushOverrides) => one(readBy(gitea, signDelivery(aPushPayload(overrides), ANY)))

function payloadOf(forge: string, name: string) {
  const folder = join(import.meta.dirname, '..', forge, 'fixtures')
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')).payload
}

describe('a push', () => {
  test('names its changed paths completely only when nothing can be missing', () => {
    const complete = (overrides: PushOverrides) => readPush(overrides).changed_paths_complete
    assert.equal(complete({}), true)
    assert.equal(complete({ commits: [aCommit(), aCommit()], total_commits: 2 }), true)
    assert.equal(complete({ commits: [aCommit(), aCommit()], total_commits: 3 }), false)
    assert.equal(complete({ commits: [aCommit(), aCommit()], total_commits: 0 }), false)
    assert.equal(complete({ before: ZERO }), false)
    assert.equal(complete({ commits: [] }), false)
    assert.equal(complete({ commits: [aCommit({ removed: null })] }), false)
    assert.equal(complete({ commits: [aCommit({ added: ['a\0b'] })] }), false)
    assert.equal(complete({ head_commit: aCommit({ modified: undefined }) }), false)
  })

  test('of Gogs never does: it does not say how many commits there are', () => {
    const event = one(readBy(gogs, signGogs(aGogsPush(), ANY)))
    assert.deepEqual(event.changed_paths, ['src/index.ts'])
    assert.equal(event.changed_paths_complete, false)
  })

  test('keeps its newest 100 commits, oldest first', () => {
    const commits = Array.from({ length: 300 }, (_, index) => aCommit({ message: String(300 - index) }))
    const kept = readPush({ commits }).commits
    assert.equal(kept.length, 100)
    assert.equal(kept[0]?.message, '201')
    assert.equal(kept.at(-1)?.message, '300')
  })

  test('says nothing of force, because nobody told', () => assert.equal(readPush({}).forced, null))

  test('whose before and after are the same is a test delivery', () => {
    for (const sha of ['b'.repeat(40), ZERO, 'b'.repeat(64), '0'.repeat(64)]) {
      const reading = readBy(gitea, signDelivery(aPushPayload({ before: sha, after: sha }), ANY))
      assert.ok(reading.kind === 'nothing_runnable' && reading.cause === 'ping')
      assert.match(reading.reason, /^A test delivery of Gitea: .*\.$/)
    }
  })
})

describe('a pull request', () => {
  const payload = payloadOf('gitea', 'pull-request-opened')
  const { head, base } = payload.pull_request
  const fromFork = (ends: object) => {
    const pullRequest = { ...payload.pull_request, ...ends }
    const delivery = signDelivery({ ...payload, pull_request: pullRequest }, { ...ANY, event: 'pull_request' })
    return one(readBy(gitea, delivery)).pull_request?.from_fork
  }

  test('counts as from a fork whenever its origin is not certain', () => {
    assert.equal(fromFork({}), false)
    assert.equal(fromFork({ head: { ...head, repo_id: 990 } }), true)
    for (const id of [null, undefined, -1, 0, '140', {}]) {
      assert.equal(fromFork({ head: { ...head, repo_id: id } }), true, String(id))
      assert.equal(fromFork({ base: { ...base, repo_id: id } }), true, String(id))
      assert.equal(fromFork({ head: { ...head, repo_id: id }, base: { ...base, repo_id: id } }), true, String(id))
    }
    for (const repo of [null, undefined, []]) {
      assert.equal(fromFork({ head: { ...head, repo } }), false)
      assert.equal(fromFork({ head: { ...head, repo, repo_id: -1 } }), true)
    }
  })

  test('that was pushed to refs/for by anyone who may read counts as from a fork, though it names the base', () => {
    assert.equal(fromFork({ head: { ...head, label: '', ref: 'refs/pull/7/head' } }), true)
    // A branch may be called like that: then it is one, in the repository itself.
    assert.equal(fromFork({ head: { ...head, ref: 'refs/pull/8/head' } }), false)
  })

  test('of Gogs counts as from a fork whenever its origin is not certain', () => {
    const flat = payloadOf('gogs', 'pull-request-opened')
    const repo = flat.pull_request.head_repo
    const fork = (ends: object) => {
      const delivery = { ...flat, pull_request: { ...flat.pull_request, ...ends } }
      return one(readBy(gogs, signGogs(delivery, { ...ANY, event: 'pull_request' }))).pull_request?.from_fork
    }
    assert.equal(fork({}), false)
    assert.equal(fork({ head_repo: { ...repo, id: 990 } }), true)
    for (const other of [null, undefined, {}, [], { id: null }]) {
      assert.equal(fork({ head_repo: other }), true)
      assert.equal(fork({ base_repo: other }), true)
      assert.equal(fork({ head_repo: other, base_repo: other }), true)
    }
  })

  test('is a draft by its title only where there is no word for it', () => {
    const draft = (over: object) => {
      const pullRequest = { ...payload.pull_request, ...over }
      const delivery = signDelivery({ ...payload, pull_request: pullRequest }, { ...ANY, event: 'pull_request' })
      return one(readBy(gitea, delivery)).pull_request?.draft
    }
    assert.equal(draft({ title: 'WIP: amber', draft: false }), false)
    assert.equal(draft({ title: 'wip: amber', draft: undefined }), true)
    assert.equal(draft({ title: 'amber WIP:', draft: undefined }), null)
  })
})

describe("the source's provider decides, not the headers of the others", () => {
  test('which event it is', () => {
    const { headers, body } = signForgejo(aPushPayload(), ANY)
    const confusing = { ...headers, 'x-github-event': 'ping', 'x-gogs-event': 'issues', 'x-gitea-event': 'issues' }
    assert.equal(forgejo.webhooks.eventType(confusing, body), 'push')
    assert.equal(gitea.webhooks.eventType({ ...confusing, 'x-gitea-event': 'push' }, body), 'push')
    assert.equal(gogs.webhooks.eventType({ ...confusing, 'x-gogs-event': 'push' }, body), 'push')
    const githubOnly = { 'content-type': 'application/json', 'x-github-event': 'push', 'x-github-delivery': 'd' }
    for (const { webhooks } of [gitea, forgejo, gogs]) {
      assert.equal(webhooks.eventType(githubOnly, body), null)
      assert.equal(webhooks.deliveryId(githubOnly, body), null)
      const reading = webhooks.read(githubOnly, body)
      assert.equal(reading.kind, 'unreadable')
      assert.match(
        reading.kind === 'unreadable' ? reading.reason : '',
        /has no valid X-(Gitea|Forgejo|Gogs)-Event header/,
      )
    }
  })

  test('which is named by its exact type where the event is empty, and by nothing where it came twice', () => {
    const { headers, body } = signDelivery({}, { ...ANY, event: '', eventType: 'package' })
    assert.equal(gitea.webhooks.eventType(headers, body), 'package')
    const { 'x-gitea-event-type': _, ...rest } = headers
    assert.equal(gitea.webhooks.eventType({ ...rest, 'x-gitea-event': ['push', 'push'] }, body), null)
    assert.equal(gitea.webhooks.eventType({ ...rest, 'x-gitea-event': 'push, push' }, body), null)
  })
})
