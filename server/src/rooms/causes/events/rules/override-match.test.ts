import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEvent } from '../../../../../../contracts/src/event/testing.ts'
import { matchOverride } from './override-match.ts'

test('an override starts its pipeline for pushes, tags and new commits of pull requests', () => {
  const started = [
    ['push', 'updated'],
    ['tag', 'created'],
    ['pull_request', 'opened'],
    ['pull_request', 'reopened'],
    ['pull_request', 'synchronized'],
  ] as const
  for (const [kind, action] of started) assert.equal(matchOverride(anEvent({ kind, action })).matched, true, action)
  const left = [
    ['pull_request', 'closed', 'action'],
    ['pull_request', 'labeled', 'action'],
    ['release', 'published', 'event'],
    ['pull_request_comment', 'created', 'event'],
  ] as const
  for (const [kind, action, failed] of left) {
    const { matched, firstFailed } = matchOverride(anEvent({ kind, action }))
    assert.deepEqual([matched, firstFailed], [false, failed], action)
  }
})
