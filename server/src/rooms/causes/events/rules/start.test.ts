import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEvent } from '../../../../../../contracts/src/event/testing.ts'
import { findRefusal, isFromFork } from './index.ts'

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
  }
  for (const kind of ['pull_request', 'pull_request_comment'] as const) {
    const event = anEvent({ kind, action: 'opened', pull_request: null })
    assert.equal(isFromFork(event), true)
    assert.equal(findRefusal({ ...facts, event }), 'The event does not say which pull request it is about.')
  }
  assert.equal(isFromFork(anEvent()), false)
  assert.equal(findRefusal({ ...facts, event: anEvent() }), undefined)
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
  }
  const hidden = findRefusal({ ...facts, pipeline: { teamPath: 'acme' } })
  assert.equal(hidden, findRefusal({ ...facts, pipeline: undefined }))
  assert.match(hidden ?? '', /acme\/build does not exist or cannot run, or ada may not see it/)
})
