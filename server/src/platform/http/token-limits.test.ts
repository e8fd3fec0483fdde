import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Problem } from '#platform/problems'
import { answer, type Route } from './route.ts'
import { requireWithinLimits } from './token-limits.ts'

const BASE = {
  method: 'POST',
  path: '/v1/things',
  summary: 'Make a thing',
  tag: 'things',
  name: 'makeThing',
  shapes: {},
  responses: { 201: Type.Object({ id: Type.String() }) },
  handle: async () => answer(201),
} as const

function isRefused(route: Route, isReadOnly = false): boolean {
  try {
    requireWithinLimits(route, { token: { id: 'one', name: 'agent', limits: { isReadOnly } } })
    return false
  } catch (error) {
    assert.ok(error instanceof Problem)
    assert.equal(error.code, 'token_limited')
    return true
  }
}

test('a route for any valid token that says nothing of limits takes no token with limits', () => {
  const open = { ...BASE, class: 'authenticated' } as const
  assert.equal(isRefused(open), true)
  assert.equal(isRefused({ ...open, limitedTokens: 'act' }), false)
  assert.equal(isRefused({ ...open, limitedTokens: 'act' }, true), true)
  assert.equal(isRefused({ ...open, limitedTokens: 'ask' }, true), false)
  requireWithinLimits(open, { token: { id: 'one', name: 'whole' } })
  requireWithinLimits(open, {})
})

test('a route with a permission is read with any token, and written with one that does not only read', () => {
  const asked = { ...BASE, class: 'authorized', permission: 'run.read' } as const
  assert.deepEqual([isRefused(asked), isRefused(asked, true)], [false, true])
  assert.equal(isRefused({ ...asked, method: 'GET' }, true), false)
  assert.equal(isRefused({ ...asked, limitedTokens: 'no' }), true)
})
