import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCaller } from '#platform/testing'
import { reasonFor } from './reason-for.ts'

const REASON = 'steps.build.secrets: There is no secret other/npm.'
const reader = testCaller({ acme: ['schedule.read'], other: ['pipeline.read'] }, { id: 'ada' })
const owner = { kind: 'user', id: 'ada' } as const

test('the reason is for whoever may read the pipeline, and for the owner', () => {
  assert.equal(reasonFor(reader, { pipeline: 'other/deploy' }, REASON), REASON)
  assert.equal(reasonFor(reader, { pipeline: 'acme/deploy', owner }, REASON), REASON)
})

test('others hear that there is one', () => {
  for (const pipeline of ['acme/deploy', 'otherwise/deploy', null]) {
    for (const rule of [{ pipeline }, { pipeline, owner: { ...owner, id: 'bob' } }]) {
      const told = reasonFor(reader, rule, REASON)
      assert.match(told, /Whoever may read the pipeline/)
      assert.doesNotMatch(told, /npm|other|build/)
    }
  }
  assert.equal(reasonFor(reader, { pipeline: 'acme/deploy' }, null), null)
})
