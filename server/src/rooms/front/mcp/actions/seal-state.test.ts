import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSealer } from '#platform/crypto'
import { systemCaller } from '#platform/http'
import { StateRefused } from '#platform/mcp'
import { createTestClock } from '#platform/testing'
import { requireState, sealState } from './seal-state.ts'

const clock = createTestClock()
const means = { sealer: createSealer(new Map([[1, randomBytes(32)]])), clock }
const caller = systemCaller('agent')
const call = { tool: 'confirm_plan', input: { plan_id: 'a', action: 'startRun' } }

test('a state opens until its time is over, whatever the order of the arguments', async () => {
  const state = sealState(means, caller, call, new Date(clock.now().getTime() + 1000))
  const turned = { tool: 'confirm_plan', input: { action: 'startRun', plan_id: 'a' } }
  requireState(means, caller, turned, state)
  for (const other of [
    { ...call, tool: 'plan_rerun' },
    { ...call, input: { plan_id: 'b', action: 'startRun' } },
  ]) {
    assert.throws(() => requireState(means, caller, other, state), StateRefused)
  }
  const elsewhere = { ...means, sealer: createSealer(new Map([[1, randomBytes(32)]])) }
  assert.throws(() => requireState(elsewhere, caller, call, state), StateRefused)
  await clock.advance(1000)
  assert.throws(() => requireState(means, caller, call, state), StateRefused)
})
