import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCaller } from '#platform/testing'
import { holdsAll } from './caller.ts'
import { noteCaller } from './note-caller.ts'

test('what a caller held at one place is noted: whoever holds it all may do the same, and nobody else', () => {
  const acme = testCaller({ acme: ['run.start', 'pipeline.read'] })
  const { caller, held } = noteCaller(acme)
  assert.ok(caller.can('run.start', 'acme/web'))
  assert.ok(!caller.can('run.cancel', 'acme/web'))
  assert.deepEqual(caller.prefixes('pipeline.read'), ['acme'])
  caller.mayUse('acme/web/test')
  assert.deepEqual(held(), [
    ['run.start', 'acme/web'],
    ['uses the environment', 'acme/web/test'],
  ])
  assert.deepEqual([caller.kind, caller.id, caller.name], [acme.kind, acme.id, acme.name])
  assert.ok(holdsAll(testCaller({ 'acme/web': ['run.start'] }), held()))
  assert.ok(!holdsAll(testCaller({ 'acme/api': ['run.start'] }), held()))
  assert.ok(!holdsAll({ ...testCaller(), mayUse: () => false }, held()))
})
