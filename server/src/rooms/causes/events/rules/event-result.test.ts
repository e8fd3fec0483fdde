import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TriggerTrace } from '@signalbox/contracts/events'
import { settledResult } from './event-result.ts'

function traces(...outcomes: readonly TriggerTrace['outcome'][]): TriggerTrace[] {
  return outcomes.map((outcome) => ({
    layer: 'service_trigger',
    trigger_id: null,
    name: 'x',
    team_path: 'acme',
    pipeline: null,
    matched: outcome !== 'not_matched',
    first_failed: null,
    conditions: [],
    outcome,
    reason: null,
    run_id: null,
  }))
}

test('the best of what the rules of an event did is what became of it', () => {
  assert.equal(settledResult([]), 'ignored')
  assert.equal(settledResult(traces('not_matched', 'outranked')), 'ignored')
  assert.equal(settledResult(traces('not_matched', 'refused')), 'refused')
  assert.equal(settledResult(traces('refused', 'duplicate')), 'duplicate')
  for (const effect of ['started', 'held', 'canceled_runs'] as const) {
    assert.equal(settledResult(traces('refused', 'duplicate', effect)), 'accepted')
  }
  assert.equal(settledResult([], 1), 'accepted', 'an event that names its pipeline has no rules')
})
