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
    ownerMayStart: true,
    ownerMayUseScope: true,
    scopeProtected: false,
    posterMayStart: true,
  }
  for (const kind of ['pull_request', 'pull_request_comment'] as const) {
    const event = anEvent({ kind, action: 'opened', pull_request: null })
    assert.equal(isFromFork(event), true)
    assert.equal(findRefusal({ ...facts, event }), 'The event does not say which pull request it is about.')
  }
  assert.equal(isFromFork(anEvent()), false)
  assert.equal(findRefusal({ ...facts, event: anEvent() }), undefined)
})
