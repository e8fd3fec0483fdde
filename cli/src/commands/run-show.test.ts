import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answer } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const ID = '01a1fc1f-ca69-7000-b9c9-fea95f691d0b'
const DIGEST = `sha256:${'1'.repeat(64)}`

test('run show names the images that the latest attempts really ran, by digest', async () => {
  const images = [
    { service: null, image: 'node:24', digest: DIGEST },
    { service: 'db', image: 'localhost/db', digest: DIGEST.replaceAll('1', '2') },
  ]
  const former = { child_run_id: null, images: [{ service: null, image: 'node:22', digest: DIGEST }] }
  const task = { name: 'unit', status: 'success', attempt: 2, attempts: [former, { child_run_id: null, images }] }
  const onHost = { name: 'lint', status: 'success', attempt: 1, attempts: [{ child_run_id: null, images: [] }] }
  const run = {
    run_id: ID,
    pipeline: 'acme/build',
    status: 'success',
    cause: 'request',
    initiator: { name: 'ada' },
    scope: 'acme/test',
    queued_at: '2026-11-21T03:00:00.000Z',
    steps: [{ name: 'test', status: 'success', tasks: [task, onHost] }],
  }
  await using here = await stage((_request, response) => answer(response, 200, run))
  const { out } = await here.run(['run', 'show', ID])
  assert.match(out, new RegExp(`test/unit\\s+node:24\\s+${DIGEST}\\n`))
  assert.match(out, /test\/unit db\s+localhost\/db\s+sha256:2{64}\n/)
  assert.doesNotMatch(out, /node:22|test\/lint\s+\n/)
})
