import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answer, refuse } from '../testing/fake-api.ts'
import { SCHEDULE_ID } from '../testing/schedule-samples.ts'
import { stage } from '../testing/stage.ts'

test('why a schedule fired is told in sentences, with the ids that they do not name', async () => {
  const explanation = {
    schedule_id: SCHEDULE_ID,
    identifier: 'acme/nightly',
    at: '2026-11-23T01:30:00.000Z',
    findings: [],
    sentences: [
      {
        text: 'It fired and started run r1.',
        evidence: [
          { kind: 'run', id: 'r1' },
          { kind: 'fire', id: 'f1' },
        ],
      },
      { text: 'It fires next at 02:30.', evidence: [{ kind: 'schedule', id: SCHEDULE_ID }] },
      { text: 'Its owner is \u001b[31mred.', evidence: [] },
    ],
  }
  await using here = await stage((_, response) => answer(response, 200, explanation))
  const { out, code } = await here.run(['schedule', 'why', 'acme/nightly', '--at', '2026-11-23T02:30'])
  assert.equal(code, 0)
  const [first, second, third] = out.split('\n')
  assert.equal(first, 'It fired and started run r1. (fire f1)')
  assert.equal(second, 'It fires next at 02:30.')
  assert.equal(third?.includes('\u001b'), false)
  assert.equal(here.api.seen[0]?.path, '/v1/explain/schedule?schedule=acme%2Fnightly&at=2026-11-23T02%3A30')
  await here.run(['schedule', 'why', SCHEDULE_ID])
  assert.equal(here.api.seen[1]?.path, `/v1/explain/schedule?schedule=${SCHEDULE_ID}`)
  assert.deepEqual(JSON.parse((await here.run(['schedule', 'why', SCHEDULE_ID, '--json'])).out), explanation)
  assert.equal((await here.run(['why', 'schedule', 'acme/nightly', '--at', '2026-11-23T02:30'])).out, out)
})

test('an instant that cannot be read is refused by the name of the option', async () => {
  const problem = { detail: 'at: "soon" is no time.', errors: [{ field: 'at', message: '"soon" is no time' }] }
  await using here = await stage((_, response) => refuse(response, 400, 'invalid_request', problem))
  const { err, code } = await here.run(['schedule', 'why', 'acme/nightly', '--at', 'soon'])
  assert.equal(code, 2)
  assert.match(err, /^error --at: "soon" is no time\.$/m)
})
