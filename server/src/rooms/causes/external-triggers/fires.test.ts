import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createToken } from '#platform/crypto'
import { createTestClock, createTestDatabase } from '#platform/testing'
import { aDocument, aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember, aToken } from '../../foundation/access/testing.ts'
import { anEnvironment, aTeam } from '../../foundation/teams/testing.ts'
import { openExternalTriggers, PATH, PIPELINE, SCOPE, TEAM } from './testing.ts'

const testDatabase = await createTestDatabase()
const clock = createTestClock()
const house = await openExternalTriggers(testDatabase, { clock })
after(() => house.close())
const db = testDatabase.database.kysely
await aTeam(db, 'acme/ops')

const runOf = (id: unknown) => db.selectFrom('runs').selectAll().where('id', '=', String(id)).executeTakeFirstOrThrow()
const runsOf = (id: string) => db.selectFrom('runs').select('id').where('external_trigger_id', '=', id).execute()
const refusalOf = async (id: string) => (await house.call('GET', `${PATH}/${id}`)).body['last_refusal']
async function dropPipeline(name: string): Promise<void> {
  await db.deleteFrom('pipelines').where('team_path', '=', TEAM).where('name', '=', name).execute()
}

describe('a fire by secret', () => {
  test('starts a run of the owner, with its defaults and what the sender may set', async () => {
    const made = await house.create({ run_team_path: 'acme/ops' })
    const signals = house.queuedSignals()
    const { status, headers, body, text } = await house.fire(made, { variables: { VERSION: '1.2' } })
    assert.equal(status, 202, text)
    const { run_id: runId, ...rest } = body
    assert.deepEqual(rest, { status: 'queued' })
    assert.equal(headers['location'], `/v1/runs/${runId}`)
    assert.equal(house.queuedSignals(), signals + 1)
    const run = await runOf(runId)
    assert.deepEqual(
      [run.cause, run.initiator_name, run.external_trigger_id, run.run_team_path, run.scope, run.variables],
      ['external', 'root', made.id, 'acme/ops', SCOPE, { VERSION: '1.2', REGION: 'us' }],
    )
    const shown = await house.call('GET', `${PATH}/${made.id}`)
    assert.deepEqual([shown.body['last_run_id'], shown.body['last_refusal']], [runId, null])
    assert.equal(shown.body['last_fired_at'], clock.now().toISOString())
    const record = await recordOfFire(made.id)
    assert.deepEqual([record.actor_kind, record.actor_name], ['system', `external trigger ${made.identifier}`])
    assert.deepEqual([record.address, record.team_path], ['127.0.0.1', TEAM])
    const fired = { run_id: runId, by: 'secret', pipeline: PIPELINE, scope: SCOPE, variables: ['VERSION'] }
    assert.deepEqual(record.after, fired)
  })

  test('is told without its run to those who may not see that, also in the audit', async () => {
    await anEnvironment(db, 'acme/ops/prod')
    await aPipeline(db, 'acme/ops/deploy')
    const pointed = { pipeline: 'acme/ops/deploy', scope: 'acme/ops/prod', variables: {}, allowed_variables: [] }
    const made = await house.create(pointed)
    const runId = String((await house.fire(made)).body['run_id'])
    const reader = await aMember(db, 'reader', 'owner', TEAM)
    for (const path of [PATH, `${PATH}/${made.id}`]) {
      const hidden = await house.call('GET', path, undefined, reader)
      assert.equal(hidden.status, 200, hidden.text)
      assert.match(hidden.text, new RegExp(made.id))
      assert.doesNotMatch(hidden.text, new RegExp(runId), path)
      assert.match((await house.call('GET', path)).text, new RegExp(runId), path)
    }
    const shown = await house.call('GET', `${PATH}/${made.id}`, undefined, reader)
    assert.equal(shown.body['last_run_id'], null)
    assert.equal(shown.body['last_fired_at'], clock.now().toISOString())
    await house.call('PATCH', `${PATH}/${made.id}`, { enabled: false })
    const changes = db.selectFrom('audit_records').select(['before', 'after']).where('resource_id', '=', made.id)
    const updated = await changes.where('action', '=', 'external_trigger.updated').execute()
    assert.equal(updated.length, 1)
    assert.doesNotMatch(JSON.stringify(updated), new RegExp(runId))
  })

  test('needs no body, and takes the identifier as well as the id, and the address that holds the secret', async () => {
    const made = await house.create()
    const byUrl = { headers: { authorization: '' } }
    for (const [url, headers] of [
      [`${PATH}/${encodeURIComponent(made.identifier)}/fire`, { authorization: `Bearer ${made.secret}` }],
      [`${PATH}/${made.id}/fire/${made.secret}`, byUrl.headers],
      [`${PATH}/${encodeURIComponent(made.identifier)}/fire/${made.secret}`, byUrl.headers],
    ] as const) {
      assert.equal((await house.call('POST', url, undefined, { headers })).status, 202, url)
    }
    for (const body of [{}, { variables: {} }]) assert.equal((await house.fire(made, body)).status, 202)
    assert.equal((await runsOf(made.id)).length, 5)
  })

  test('takes no field but variables, and only allowed ones: 400 names the field, and nothing starts', async () => {
    const made = await house.create()
    for (const [body, field] of [
      [{ ref: 'main' }, 'ref'],
      [{ variables: { VERSION: 1 } }, 'variables.VERSION'],
      [{ variables: { REGION: 'us' } }, 'variables.REGION'],
      [{ variables: { VERSION: '1', PATH: '/' } }, 'variables.PATH'],
      [{ variables: { constructor: 'x' } }, 'variables.constructor'],
    ] as const) {
      const { status, body: problem, text } = await house.fire(made, body)
      assert.equal(status, 400, text)
      assert.equal((problem['errors'] as { field: string }[])[0]?.field, field, text)
      assert.doesNotMatch(text, /acme/, 'it names neither pipeline nor scope')
    }
    assert.deepEqual(await runsOf(made.id), [])
    assert.match(String(await refusalOf(made.id)), /variables\.constructor/)
  })

  test('a variable that the pipeline declares no more is a 400; a default of that kind is for the owner', async () => {
    await aPipeline(db, 'acme/web/shifting', aDocument('shifting', 'variables: { A: x, B: y }\n'))
    const made = await house.create({ pipeline: 'acme/web/shifting', variables: {}, allowed_variables: ['A'] })
    const strict = await house.create({ pipeline: 'acme/web/shifting', variables: { A: '1' }, allowed_variables: [] })
    await dropPipeline('shifting')
    await aPipeline(db, 'acme/web/shifting', aDocument('shifting', 'variables: { B: y }\n'))
    const refused = await house.fire(made, { variables: { A: '2' } })
    assert.equal(refused.status, 400, refused.text)
    assert.match(refused.text, /variables\.A/)
    assert.equal((await house.fire(made)).status, 202)
    assert.equal(await refusalOf(made.id), null, 'the last fire did start a run')
    const silent = await house.fire(strict)
    assert.deepEqual([silent.status, silent.body['code']], [403, 'external_trigger.refused'])
    assert.doesNotMatch(silent.text, /acme|shifting|root/)
    assert.match(String(await refusalOf(strict.id)), /A is not a variable/)
  })

  test('a pipeline that is gone: the sender hears that nothing started, the owner hears why', async () => {
    await aPipeline(db, 'acme/web/gone', aDocument('gone'))
    const made = await house.create({ pipeline: 'acme/web/gone', variables: {}, allowed_variables: [] })
    await dropPipeline('gone')
    const { status, text } = await house.fire(made)
    assert.equal(status, 403, text)
    assert.doesNotMatch(text, /acme|gone|root/)
    assert.match(String(await refusalOf(made.id)), /acme\/web\/gone/)
  })

  test('its rate is its own: 429 with Retry-After, and what proved nothing does not count', async () => {
    const made = await house.create({ rate_limit: { per_minute: 2 } })
    const other = await house.create()
    const wrong = { ...made, secret: createToken('external_trigger').token }
    for (let i = 0; i < 5; i++) assert.equal((await house.fire(wrong)).status, 401)
    assert.deepEqual([(await house.fire(made)).status, (await house.fire(made)).status], [202, 202])
    const limited = await house.fire(made)
    assert.deepEqual(
      [limited.status, limited.body['code'], limited.headers['retry-after']],
      [429, 'external_trigger.rate_exceeded', '30'],
    )
    assert.equal((await house.fire(other)).status, 202)
    await clock.advance(30_000)
    assert.equal((await house.fire(made)).status, 202)
  })

  test('its rate is there for those who may fire it: whoever may only read it cannot use it up', async () => {
    const reader = await aMember(db, 'reads', 'viewer', TEAM)
    const made = await house.create({ rate_limit: { per_minute: 2 } })
    for (let i = 0; i < 5; i++) {
      const refused = await house.call('POST', `${PATH}/${made.id}/fire`, {}, reader)
      assert.deepEqual([refused.status, refused.body['code']], [403, 'forbidden'])
    }
    assert.deepEqual([(await house.fire(made)).status, (await house.fire(made)).status], [202, 202])
  })
})

function recordOfFire(triggerId: string) {
  return db
    .selectFrom('audit_records')
    .selectAll()
    .where('action', '=', 'external_trigger.fired')
    .where('resource_id', '=', triggerId)
    .executeTakeFirstOrThrow()
}

describe('a fire by token', () => {
  test('starts a run of the caller, who needs the right to start it', async () => {
    const made = await house.create()
    const operator = await aMember(db, 'op', 'operator', TEAM)
    const { status, body, text } = await house.call('POST', `${PATH}/${made.id}/fire`, undefined, operator)
    assert.equal(status, 202, text)
    assert.equal((await runOf(body['run_id'])).initiator_name, 'op')
    const record = await recordOfFire(made.id)
    assert.deepEqual([record.actor_name, (record.after as { by: string }).by], ['op', 'token'])
    const viewer = await aMember(db, 'vi', 'viewer', TEAM)
    const refused = await house.call('POST', `${PATH}/${made.id}/fire`, undefined, viewer)
    assert.deepEqual([refused.status, refused.body['code']], [403, 'forbidden'])
    assert.match(refused.text, /run\.start/, 'a caller who sees it hears what is missing')
    assert.equal(await refusalOf(made.id), null, 'that says nothing of its senders')
  })

  test('hears that it is disabled (409)', async () => {
    const made = await house.create({ enabled: false })
    const { status, body } = await house.call('POST', `${PATH}/${made.id}/fire`)
    assert.deepEqual([status, body['code']], [409, 'external_trigger.disabled'])
  })

  test('of a stranger, a revoked one and none at all start nothing', async () => {
    const made = await house.create()
    const stranger = await aMember(db, 'far', 'owner', 'acme/ops')
    const path = `${PATH}/${made.id}/fire`
    assert.equal((await house.call('POST', path, undefined, stranger)).status, 404)
    const user = await aMember(db, 'late', 'operator', TEAM)
    const { id, token } = await aToken(db, { kind: 'user', id: user.id })
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await house.call('POST', path, undefined, { headers })).status, 202)
    assert.equal((await house.call('DELETE', `/v1/tokens/${id}`)).status, 204)
    assert.equal((await house.call('POST', path, undefined, { headers })).status, 401)
    for (const authorization of ['', 'Bearer', 'Basic abc', 'Bearer nonsense']) {
      const none = await house.call('POST', path, undefined, { headers: { authorization } })
      assert.deepEqual([none.status, none.headers['www-authenticate']], [401, 'Bearer'], authorization)
    }
    assert.equal((await runsOf(made.id)).length, 1)
  })
})

describe('a fire by hand', () => {
  const runPath = ({ id }: { readonly id: string }) => `${PATH}/${id}/run`

  test('starts a run of the caller, with the variables that a fire may set', async () => {
    const made = await house.create()
    const operator = await aMember(db, 'hand', 'operator', TEAM)
    const { status, headers, body, text } = await house.call(
      'POST',
      runPath({ id: encodeURIComponent(made.identifier) }),
      { variables: { VERSION: '2' } },
      operator,
    )
    assert.equal(status, 202, text)
    assert.equal(headers['location'], `/v1/runs/${body['run_id']}`)
    const run = await runOf(body['run_id'])
    assert.deepEqual(
      [run.cause, run.initiator_name, run.external_trigger_id, run.variables],
      ['external', 'hand', made.id, { VERSION: '2', REGION: 'us' }],
    )
    const record = await recordOfFire(made.id)
    assert.deepEqual([record.actor_name, (record.after as { by: string }).by], ['hand', 'hand'])
    const wrong = await house.call('POST', runPath(made), { variables: { REGION: 'us' } }, operator)
    assert.deepEqual([wrong.status, wrong.body['code']], [400, 'external_trigger.fire_invalid'])
  })

  test('is refused to those who may not start it, who do not see it, and who send its secret', async () => {
    const made = await house.create()
    const viewer = await aMember(db, 'looker', 'viewer', TEAM)
    const stranger = await aMember(db, 'nobody', 'owner', 'acme/ops')
    const secret = { headers: { authorization: `Bearer ${made.secret}` } }
    for (const [who, expected] of [
      [viewer, 403],
      [stranger, 404],
      [secret, 401],
    ] as const) {
      assert.equal((await house.call('POST', runPath(made), undefined, who)).status, expected)
    }
    const absent = await house.call('POST', runPath({ id: '01a1fc1f-ca69-7000-b9c9-fea95f691d0b' }))
    assert.equal(absent.status, 404)
    assert.deepEqual(await runsOf(made.id), [])
    assert.equal(await refusalOf(made.id), null, 'that says nothing of its senders')
  })

  test('keeps to the rate, needs it enabled, and once per Idempotency-Key', async () => {
    const off = await house.create({ enabled: false })
    assert.equal((await house.call('POST', runPath(off))).status, 409)
    const made = await house.create({ rate_limit: { per_minute: 2 } })
    const key = { headers: { 'idempotency-key': 'by-hand' } }
    const first = await house.call('POST', runPath(made), {}, key)
    const again = await house.call('POST', runPath(made), {}, key)
    assert.deepEqual([first.status, again.body], [202, first.body])
    assert.equal((await house.call('POST', runPath(made), {})).status, 202)
    assert.equal((await house.call('POST', runPath(made), {})).status, 429)
    assert.equal((await runsOf(made.id)).length, 2)
  })
})
