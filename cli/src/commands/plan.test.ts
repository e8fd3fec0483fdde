import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { answer, type Handler } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const ID = '01a1fc1f-ca69-7000-b9c9-fea95f691d0b'
const RUN = '01a1fc1f-ca69-7000-b9c9-fea95f691d0c'
const PLAN = {
  id: ID,
  action: 'startRun',
  target: 'pipeline acme/web/build',
  arguments: { params: { id: 'acme/web/build' } },
  effects: [
    {
      code: 'dry_run.queued',
      sentence: 'A new run would be queued at once.',
      evidence: [{ kind: 'pipeline', id: 'acme/web/build' }],
    },
  ],
  preconditions: [{ name: 'pipeline_version', value: '7' }],
  confirmation: 'agent',
  confirmation_reason: null,
  status: 'waiting',
  planned_by: { kind: 'service_account', id: 'r', name: 'acme/web/robot\u001b[31m' },
  token_id: ID,
  decided_by: null,
  decided_at: null,
  refusal: null,
  replaced_by: null,
  outcome: null,
  may_confirm: true,
  may_approve: false,
  created_at: '2026-11-21T03:00:00.000Z',
  expires_at: '2026-11-21T03:10:00.000Z',
}
const DONE = {
  ...PLAN,
  status: 'confirmed',
  outcome: { status: 202, body: {}, resources: [{ kind: 'run', id: RUN, name: null }] },
}

const api: Handler = ({ method, path }, response) => {
  if (path.endsWith('/confirm') || path.endsWith('/approve')) answer(response, 200, DONE)
  else if (path.endsWith('/refuse')) answer(response, 200, { ...PLAN, status: 'refused' })
  else if (method === 'POST') answer(response, 201, PLAN)
  else answer(response, 200, path.includes('?') ? [PLAN] : PLAN)
}

describe('plan', () => {
  test('create sends the parts of the request, and says what would happen', async () => {
    await using here = await stage(api)
    writeFileSync(join(here.folder.path, 'body.yaml'), 'scope: acme/web/test\nvariables: { A: b }\n')
    const args = ['plan', 'create', 'startRun', '-p', 'id=acme/web/build', '-q', 'x=1', '-f', 'body.yaml']
    const { code, out, err } = await here.run(args)
    assert.equal(code, 0, err)
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), {
      action: 'startRun',
      params: { id: 'acme/web/build' },
      query: { x: '1' },
      body: { scope: 'acme/web/test', variables: { A: 'b' } },
    })
    assert.match(out, /A new run would be queued at once\. \(pipeline acme\/web\/build\)/)
    assert.match(err, new RegExp(`signalbox plan confirm ${ID}`))
    assert.ok(!out.includes('\u001b[31m'))
    const missing = await here.run(['plan', 'create', 'startRun', '-f', 'nothing.yaml'])
    assert.equal(missing.code, 2)
  })

  test('confirm says again what the plan is for, asks first, and names what was made', async () => {
    await using here = await stage(api)
    const unasked = await here.run(['plan', 'confirm', ID])
    assert.equal(unasked.code, 2)
    const { code, err } = await here.run(['plan', 'confirm', ID, '--yes'])
    assert.equal(code, 0, err)
    assert.deepEqual(JSON.parse(here.api.seen.at(-1)?.body ?? ''), {
      action: 'startRun',
      target: 'pipeline acme/web/build',
    })
    assert.match(err, new RegExp(`Done: startRun of pipeline acme/web/build \\(run ${RUN}\\)`))
  })

  test('approve and refuse decide about the plan of somebody else', async () => {
    await using here = await stage(api)
    assert.equal((await here.run(['plan', 'approve', ID, '--yes'])).code, 0)
    const refused = await here.run(['plan', 'refuse', ID, '-m', 'not now'])
    assert.equal(refused.code, 0)
    assert.match(refused.err, /is refused: nothing was done/)
    assert.deepEqual(JSON.parse(here.api.seen.at(-1)?.body ?? ''), { reason: 'not now' })
  })

  test('list shows what waits, and for whom', async () => {
    await using here = await stage(api)
    const { out } = await here.run(['plan', 'list', '--to-approve'])
    assert.match(out, /startRun\s+pipeline acme\/web\/build\s+waiting/)
    assert.match(here.api.seen[0]?.path ?? '', /show=to_approve/)
  })
})
