import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCaller } from '#platform/testing'
import type { ScopeVerdict } from '#rooms/foundation/access'
import { aSnapshot } from '../../../foundation/access/testing.ts'
import { findMissingRights } from './check-target.ts'

test('an override needs both the right to write it and the right to start what it names', async () => {
  const target = { pipeline: 'acme/web/build', teamPath: 'acme/web', scope: 'acme/web/staging' }
  let verdict: ScopeVerdict = 'usable'
  const means = { access: { judgeScope: async () => verdict, snapshot: async () => aSnapshot() } }
  const missing = async (...permissions: string[]) =>
    (await findMissingRights(means, testCaller({ 'acme/web': permissions }), target)).map(({ message }) => message)
  assert.deepEqual(await missing('override.write', 'run.start'), [])
  assert.match(String(await missing('override.write')), /^You need run\.start on acme\/web\.$/)
  assert.match(String(await missing('run.start')), /^You need override\.write on acme\/web\.$/)
  verdict = 'forbidden'
  assert.match(String(await missing('override.write', 'run.start')), /^You may not use the scope acme\/web\/staging\./)
})
