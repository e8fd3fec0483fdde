import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '@signalbox/contracts/event'
import { anEvent } from '../../../../../../contracts/src/event/testing.ts'
import { findRefusal, isFromFork } from './index.ts'
import type { StartFacts } from './start.ts'

test('a pull request of unknown origin counts as from a fork, and starts nothing: nobody could approve it', () => {
  const facts = {
    pipelineName: 'acme/build',
    scope: 'acme/test',
    pipeline: { teamPath: 'acme' },
    ownerName: 'ada',
    ownerIsThere: true,
    ownerMaySee: true,
    ownerMayStart: true,
    ownerMayUseScope: true,
    scopeProtected: false,
    posterMayStart: true,
    commitFault: undefined,
    addressFault: undefined,
    lacksAddress: false,
  }
  for (const kind of ['pull_request', 'pull_request_comment', 'pull_request_review'] as const) {
    const event = anEvent({ kind, action: 'opened', pull_request: null })
    assert.equal(isFromFork(event), true)
    assert.equal(findRefusal({ ...facts, event }), 'The event does not say which pull request it is about.')
  }
  assert.equal(isFromFork(anEvent()), false)
  assert.equal(findRefusal({ ...facts, event: anEvent() }), undefined)
})

test('a deployment or check of a commit without a branch counts as from a fork', () => {
  for (const kind of ['deployment', 'deployment_status', 'check'] as const) {
    const nameless = { kind, ref: null, branch: null, tag: null, pull_request: null }
    assert.equal(isFromFork(anEvent(nameless)), true, kind)
    assert.equal(isFromFork(anEvent({ ...nameless, branch: 'main' })), false, kind)
    assert.equal(isFromFork(anEvent({ ...nameless, tag: 'v1' })), false, kind)
  }
})

test('a pipeline that the owner may not see reads as one that is not there', () => {
  const facts = {
    event: anEvent(),
    pipelineName: 'acme/build',
    scope: 'acme/test',
    ownerName: 'ada',
    ownerIsThere: true,
    ownerMaySee: false,
    ownerMayStart: false,
    ownerMayUseScope: true,
    scopeProtected: false,
    posterMayStart: true,
    commitFault: undefined,
    addressFault: undefined,
    lacksAddress: false,
  }
  const hidden = findRefusal({ ...facts, pipeline: { teamPath: 'acme' } })
  assert.equal(hidden, findRefusal({ ...facts, pipeline: undefined }))
  assert.match(hidden ?? '', /acme\/build does not exist or cannot run, or ada may not see it/)
})

const PULL_REQUEST = {
  number: 7,
  title: 'A change',
  draft: false,
  labels: [],
  head: { ref: 'topic', sha: 'b'.repeat(40), repository: 'acme/widgets' },
  base: { ref: 'main', sha: 'a'.repeat(40), repository: 'acme/widgets' },
  from_fork: false,
  merged: false,
  author: null,
  web_url: null,
} satisfies Event['pull_request']

test('each thing that a start needs is needed', () => {
  const facts: StartFacts = {
    event: anEvent({ kind: 'pull_request', action: 'opened', pull_request: PULL_REQUEST }),
    pipelineName: 'acme/build',
    scope: 'acme/test',
    pipeline: { teamPath: 'acme' },
    ownerName: 'ada',
    ownerIsThere: true,
    ownerMaySee: true,
    ownerMayStart: true,
    ownerMayUseScope: true,
    scopeProtected: false,
    posterMayStart: true,
    commitFault: undefined,
    addressFault: undefined,
    lacksAddress: false,
  }
  const pullRequest = facts.event.pull_request
  assert.ok(pullRequest)
  const fromFork = { ...facts.event, after: 'a'.repeat(40), pull_request: { ...pullRequest, from_fork: true } }
  const inside = { ...facts.event, pull_request: { ...pullRequest, from_fork: false } }
  assert.equal(findRefusal({ ...facts, event: fromFork }), undefined)
  assert.equal(findRefusal({ ...facts, event: inside, scopeProtected: true }), undefined)
  const refused: readonly (readonly [Partial<StartFacts>, RegExp])[] = [
    [{ ownerIsThere: false }, /owner of the trigger, ada, does not exist/],
    [{ pipeline: undefined }, /does not exist or cannot run/],
    [{ ownerMaySee: false }, /may not see it/],
    [{ ownerMayStart: false }, /ada lacks the permission run\.start on acme/],
    [{ ownerMayUseScope: false }, /ada may not use the scope acme\/test/],
    [{ posterMayStart: false }, /The poster of an event without a signature/],
    [{ addressFault: 'is wrong' }, /repository\.clone_url is wrong/],
    [{ lacksAddress: true }, /names no address to clone from.*Set base_url of its source/],
    [{ commitFault: 'There is no commit.' }, /There is no commit/],
    [{ scopeProtected: true }, /comes from a fork or an unknown place, and the scope acme\/test is protected/],
    [{ event: { ...fromFork, after: null } }, /its commit is not known/],
  ]
  for (const [change, reason] of refused) {
    assert.match(findRefusal({ ...facts, event: fromFork, ...change }) ?? 'nothing', reason)
  }
})
