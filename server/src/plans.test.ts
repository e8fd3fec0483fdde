import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { signPush } from './adapters/forges/github/testing.ts'
import { aDocument, aPipeline } from './rooms/catalog/pipelines/testing.ts'
import { aRunner } from './rooms/catalog/runners/testing.ts'
import { aRun } from './rooms/execution/runs/testing.ts'
import { aGrant, aMemberOf, aServiceAccount, aToken } from './rooms/foundation/access/testing.ts'
import { anEnvironment } from './rooms/foundation/teams/testing.ts'
import { openTestHouse } from './testing/test-house.ts'

// Every write that can be planned, over all rooms: what a plan says is what is done, once, and nothing before.

const { db, http, ask, make } = await openTestHouse()

for (const scope of ['acme/web/test', 'acme/web/staging']) await anEnvironment(db, scope)
const boss = await aMemberOf(db, 'boss', { '/': 'administrator' })
const robot = await aServiceAccount(db, 'acme/web', 'robot')
await aGrant(db, `service_account:${robot}`, 'owner', 'acme')
const { id: tokenId, token: agent } = await aToken(db, { kind: 'service_account', id: robot })
const pipeline = await aPipeline(db, 'acme/web/build')

interface Made {
  readonly id: string
  readonly target: string
  readonly effects: readonly { readonly code: string; readonly sentence: string }[]
  readonly preconditions: readonly { readonly name: string; readonly value: string }[]
  readonly outcome: { readonly status: number; readonly resources: readonly unknown[] } | null
  readonly status: string
}

function read(text: string): Made {
  return JSON.parse(text)
}

async function plan(action: string, given: object): Promise<Made> {
  const { status, text } = await ask(agent, 'POST', '/v1/plans', { action, ...given })
  assert.equal(status, 201, `${action}: ${text}`)
  return read(text)
}

const confirm = (made: Pick<Made, 'id' | 'target'>, action: string, token = agent) =>
  ask(token, 'POST', `/v1/plans/${made.id}/confirm`, { action, target: made.target })

/** Everything that a write could have changed, but for plans and what happens by itself. */
async function countRows(): Promise<unknown> {
  const { rows } = await sql`select (select count(*) from runs) as runs,
    (select count(*) from pipeline_versions) as versions, (select count(*) from triggers) as triggers,
    (select count(*) from schedules) as schedules, (select count(*) from overrides) as overrides,
    (select max(updated_at) from triggers) as triggered, (select max(updated_at) from schedules) as scheduled,
    (select max(updated_at) from runners) as served, (select count(*) from run_approvals) as approvals,
    (select count(*) from deliveries) as deliveries, (select string_agg(status, ',' order by id) from runs) as statuses,
    (select count(*) from audit_records where action not like 'plan.%') as audited`.execute(db)
  return rows[0]
}

/** Plans, looks that nothing was written, confirms, looks that it was, and confirms again. */
async function carryOut(action: string, given: object, expected: { readonly target: string; readonly code: string }) {
  const before = await countRows()
  const made = await plan(action, given)
  assert.deepEqual(await countRows(), before, `${action} was only planned`)
  assert.equal(made.target, expected.target)
  assert.ok(
    made.effects.some(({ code }) => code === expected.code),
    `${action}: ${JSON.stringify(made.effects)}`,
  )
  const done = await confirm(made, action)
  assert.equal(done.status, 200, `${action}: ${done.text}`)
  const after = await countRows()
  assert.notDeepEqual(after, before, `${action} was carried out`)
  const told = read(done.text)
  assert.equal(told.status, 'confirmed')
  const again = await confirm(made, action)
  assert.equal(again.status, 200)
  assert.deepEqual(read(again.text).outcome, told.outcome)
  assert.deepEqual(await countRows(), after, `${action} was done once`)
  const { rows } = await sql<{ actor_id: string }>`
    select actor_id from audit_records where after ->> 'plan_id' = ${made.id}`.execute(db)
  assert.deepEqual([...new Set(rows.map((row) => row.actor_id))], [robot], `${action} is recorded with its plan`)
  return { made, told, body: JSON.parse(done.text).outcome.body }
}

const document = (name: string, more = ''): object => ({ team_path: 'acme/web', document: aDocument(name, more) })
const trigger = (change: object = {}): object => ({
  name: 'on-push',
  team_path: 'acme/web',
  repositories: ['acme/widgets'],
  events: ['push'],
  pipeline: 'acme/web/build',
  scope: 'acme/web/test',
  ...change,
})
const schedule = (change: object = {}): object => ({
  path: 'acme/web',
  name: 'nightly',
  pipeline: 'acme/web/build',
  schedule_kind: 'recurring',
  cron_expression: '30 2 * * *',
  scope: 'acme/web/test',
  ...change,
})
const OVERRIDE = { repoOwner: 'acme', repoName: 'widgets' }

describe('a plan says what its write does, and does it once', () => {
  test('of runs', async () => {
    const build = { params: { id: 'acme/web/build' }, body: { scope: 'acme/web/test' } }
    const started = await carryOut('startRun', build, { target: 'pipeline acme/web/build', code: 'dry_run.queued' })
    const runId = String(started.body.run_id)
    assert.deepEqual(started.made.preconditions, [
      { name: 'pipeline_version', value: '1' },
      { name: 'scope', value: 'acme/web/test' },
      { name: 'commit_sha', value: 'none' },
    ])
    assert.deepEqual(started.told.outcome?.resources, [{ kind: 'run', id: runId, name: null }])
    const run = { params: { id: runId } }
    const canceled = { target: `run ${runId}`, code: 'dry_run.cancels' }
    const { made } = await carryOut('cancelRun', { ...run, body: { reason: 'superseded' } }, canceled)
    assert.deepEqual(made.preconditions, [{ name: 'status', value: 'queued' }])
    await carryOut('rerunRun', run, { target: `run ${runId}`, code: 'dry_run.queued' })
  })

  test('of decisions about them', async () => {
    const held = await aRun(db, pipeline, { heldFork: 7, scope: 'acme/web/test' })
    const given = { params: { id: held, step: 'fork' }, body: { decision: 'approve' } }
    await carryOut('decideApproval', given, { target: `approval ${held}/fork`, code: 'approval.approves' })
  })

  test('of pipelines', async () => {
    const target = 'pipeline acme/web/deploy'
    await carryOut('createPipeline', { body: document('deploy') }, { target, code: 'pipeline.is_created' })
    const replaced = { params: { id: 'acme/web/deploy' }, body: document('deploy', 'variables: { A: b }\n') }
    const { made } = await carryOut('replacePipeline', replaced, { target, code: 'pipeline.differs' })
    assert.match(made.effects[1]?.sentence ?? '', /^1 line of the new document is not in the old one, and 0 lines/)
  })

  test('of triggers', async () => {
    const target = 'trigger acme/web/on-push'
    const { body } = await carryOut('createTrigger', { body: trigger() }, { target, code: 'trigger.is_created' })
    const params = { id: String(body.id) }
    const moved = { params, body: trigger({ scope: 'acme/web/staging' }) }
    await carryOut('replaceTrigger', moved, { target, code: 'trigger.starts_another' })
    await carryOut('updateTrigger', { params, body: { enabled: false } }, { target, code: 'trigger.is_disabled' })
    await carryOut('deleteTrigger', { params }, { target, code: 'trigger.is_deleted' })
  })

  test('of schedules', async () => {
    const target = 'schedule acme/web/nightly'
    await carryOut('createSchedule', { body: schedule() }, { target, code: 'schedule.fires_next' })
    const params = { id: 'acme/web/nightly' }
    const moved = { params, body: schedule({ scope: 'acme/web/staging' }) }
    await carryOut('replaceSchedule', moved, { target, code: 'schedule.starts_another' })
    await carryOut('updateSchedule', { params, body: { enabled: false } }, { target, code: 'schedule.is_disabled' })
    await carryOut('enableSchedule', { params }, { target, code: 'schedule.fires_next' })
    await carryOut('disableSchedule', { params }, { target, code: 'schedule.is_disabled' })
    await carryOut('runSchedule', { params }, { target, code: 'schedule.runs' })
    await carryOut('deleteSchedule', { params }, { target, code: 'schedule.is_deleted' })
  })

  test('of overrides', async () => {
    const target = 'repository acme/widgets'
    const body = { pipeline: 'acme/web/build', scope: 'acme/web/test' }
    await carryOut('replaceOverride', { params: OVERRIDE, body }, { target, code: 'override.decides' })
    const moved = { params: OVERRIDE, body: { ...body, scope: 'acme/web/staging' } }
    await carryOut('replaceOverride', moved, { target, code: 'override.is_replaced' })
    await carryOut('deleteOverride', { params: OVERRIDE }, { target, code: 'override.is_deleted' })
  })

  test('of runners', async () => {
    const { id } = await aRunner(db, { teamPath: 'acme', scopes: ['acme/**'], name: 'box' })
    const given = { params: { id }, body: { draining: true } }
    await carryOut('updateRunner', given, { target: 'runner box', code: 'runner.drains' })
  })

  test('of replays, in a transaction of their own', async () => {
    await make(boss.token, 'POST', '/v1/secrets', {
      team_path: 'acme/web',
      name: 'hook',
      value: 'a secret of the webhook',
    })
    const source = await make(boss.token, 'POST', '/v1/git-webhook-sources', {
      name: 'widgets',
      provider: 'github',
      team_path: 'acme/web',
      auth_mode: 'signature',
      credential_ref: 'secret:acme/web/hook',
      repository_allowlist: ['acme/*'],
    })
    const { headers, body: payload } = signPush({ secret: 'a secret of the webhook' })
    await http.app.inject({ method: 'POST', url: `/v1/git/webhooks/${source}`, headers, payload })
    const triggerId = await make(boss.token, 'POST', '/v1/triggers', trigger({ branches: ['main'] }))
    const listed = await ask(agent, 'GET', `/v1/git-webhook-sources/${source}/deliveries`)
    const [{ id }] = JSON.parse(listed.text)
    const given = { params: { sourceID: source, deliveryID: id } }
    const { told } = await carryOut('replayDelivery', given, { target: `delivery ${id}`, code: 'delivery.starts' })
    assert.equal(told.outcome?.status, 202)
    const late = await plan('replayDelivery', given)
    await make(boss.token, 'PATCH', `/v1/triggers/${triggerId}`, { enabled: false })
    const before = await countRows()
    const stale = await confirm(late, 'replayDelivery')
    assert.deepEqual([stale.status, stale.body['code']], [409, 'plan.stale'])
    assert.deepEqual(await countRows(), before)
  })
})

describe('a plan', () => {
  test('is refused as its write would be, in the same words, and leaves nothing', async () => {
    const before = await countRows()
    const written = [
      ['startRun', 'POST', '/v1/pipelines/acme%2Fweb%2Fnone/runs', { params: { id: 'acme/web/none' }, body: {} }],
      ['createPipeline', 'POST', '/v1/pipelines', { body: { team_path: 'acme/web', document: 'name: x' } }],
      ['createTrigger', 'POST', '/v1/triggers', { body: trigger({ pipeline: 'other/x' }) }],
      ['createTrigger', 'POST', '/v1/triggers', { body: { ...trigger(), colour: 'red' } }],
    ] as const
    for (const [action, method, url, given] of written) {
      const direct = await ask(agent, method, url, given.body)
      const planned = await ask(agent, 'POST', '/v1/plans', { action, ...given })
      const told = ({ status, body }: typeof direct) => [status, body['code'], body['detail'], body['errors']]
      assert.deepEqual(told(planned), told(direct), action)
      assert.ok(direct.status >= 400)
    }
    const unknown = await ask(agent, 'POST', '/v1/plans', { action: 'deleteTeam', params: { id: 'acme' } })
    assert.equal(unknown.status, 400)
    assert.deepEqual(await countRows(), before)
  })

  test('is listed and shown to its account, and refused by it', async () => {
    const made = await plan('startRun', { params: { id: 'acme/web/build' }, body: { scope: 'acme/web/test' } })
    const shown = await ask(agent, 'GET', `/v1/plans/${made.id}`)
    assert.equal(shown.status, 200)
    assert.deepEqual(
      [shown.body['status'], shown.body['token_id'], shown.body['may_confirm'], shown.body['may_approve']],
      ['waiting', tokenId, true, false],
    )
    const waiting = await ask(agent, 'GET', '/v1/plans?status=waiting&show=own')
    assert.equal(JSON.parse(waiting.text)[0].id, made.id)
    const refused = await ask(agent, 'POST', `/v1/plans/${made.id}/refuse`, { reason: 'not now' })
    assert.deepEqual([refused.status, refused.body['status'], refused.body['refusal']], [200, 'refused', 'not now'])
    const confirmed = await confirm(made, 'startRun')
    assert.deepEqual([confirmed.status, confirmed.body['code']], [409, 'plan.refused'])
    const again = await ask(agent, 'POST', `/v1/plans/${made.id}/refuse`)
    assert.equal(again.status, 200)
  })

  test('names what it is for, and is confirmed for that alone', async () => {
    const made = await plan('startRun', { params: { id: 'acme/web/build' }, body: { scope: 'acme/web/test' } })
    for (const said of [
      { action: 'cancelRun', target: made.target },
      { action: 'startRun', target: 'pipeline acme/web/deploy' },
    ]) {
      const answer = await ask(agent, 'POST', `/v1/plans/${made.id}/confirm`, said)
      assert.deepEqual([answer.status, answer.body['code']], [409, 'plan.mismatch'])
    }
    assert.equal((await confirm(made, 'startRun')).status, 200)
    const refused = await ask(agent, 'POST', `/v1/plans/${made.id}/refuse`)
    assert.deepEqual([refused.status, refused.body['code']], [409, 'plan.used'])
  })

  test('is one of a hundred at most that an account has open', async () => {
    const given = { action: 'startRun', params: { id: 'acme/web/build' }, body: { scope: 'acme/web/test' } }
    const first = await plan('startRun', given)
    await sql`insert into plans select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid()))).*
      from plans p, generate_series(1, 99) where p.id = ${first.id}`.execute(db)
    const refused = await ask(agent, 'POST', '/v1/plans', given)
    assert.deepEqual([refused.status, refused.body['code']], [409, 'plan.too_many'])
    await sql`update plans set created_at = now() - interval '11 minutes', expires_at = now() - interval '1 minute'
      where status = 'waiting'`.execute(db)
    assert.equal((await ask(agent, 'GET', `/v1/plans/${first.id}`)).body['status'], 'expired')
    const late = await confirm(first, 'startRun')
    assert.deepEqual([late.status, late.body['code']], [409, 'plan.expired'])
    await plan('startRun', given)
  })
})
