import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answer, startFakeApi } from '../testing/fake-api.ts'
import { checkThere } from './check-there.ts'

test('doctor says what keeps a control plane from being ready', async () => {
  const full = { name: 'disk', ok: false, message: 'The disk of the database has 3 MiB left.' }
  await using api = await startFakeApi((_request, response) =>
    answer(response, 503, { status: 'not_ready', checks: [{ name: 'database', ok: true, message: '' }, full] }),
  )
  const findings = await checkThere({ url: api.url, token: undefined, origin: 'environment' })
  assert.deepEqual(
    findings.map(({ level, name, message }) => [level, name, message]),
    [
      ['fail', 'control plane', `${api.url} is up and not ready.`],
      ['fail', 'disk', full.message],
    ],
  )
})
