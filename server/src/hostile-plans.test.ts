import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { signPush } from './adapters/forges/github/testing.ts'
import { aPipeline } from './rooms/catalog/pipelines/testing.ts'
import { aRunner } from './rooms/catalog/runners/testing.ts'
import { aRun } from './rooms/execution/runs/testing.ts'
import { aGrant, aMemberOf, aServiceAccount, aToken } from './rooms/foundation/access/testing.ts'
import { aSession } from './rooms/foundation/sessions/testing.ts'
import { anEnvironment } from './rooms/foundation/teams/testing.ts'
import { follow } from './rooms/front/live/testing.ts'
import { type Answer, openTestHouse } from './testing/test-house.ts'

// Attacks on plans: by others, with other tokens, twice, late, and on grounds that have changed since.

const { db, database, http, ask, make } = await openTestHouse()
const address = `http://127.0.0.1:${await http.listen('127.0.0.1', 0)}`

await anEnvironment(db, 'acme/web/test')
await anEnvironment(db, 'acme/other/test')
const boss = await aMemberOf(db, 'boss', { '/': 'administrator' })
const olga = await aMemberOf(db, 'olga', { acme: 'editor' })
const erik = await aMemberOf(db, 'erik', { acme: 'editor' })
const vera = await aMemberOf(db, 'vera', { acme: 'viewer' })
const stan = await aMemberOf(db, 'stan', {})
const olgaAgain = await aToken(db, { kind: 'user', id: olga.id })
await anEnvironment(db, 'acme/web/production', {
  protected: true,
  allowedSubjects: [`user:${olga.id}`, `user:${erik.id}`],
})
await aPipeline(db, 'acme/web/build')

interface Planned {
  readonly id: string
  readonly target: string
}

async function planned(token: string, action: string, given: object): Promise<Planned> {
  const answer = await ask(token, 'POST', '/v1/plans', { action, ...given })
  assert.equal(answer.status, 201, answer.text)
  return { id: String(answer.body['id']), target: String(answer.body['target']) }
}

const start = (token: string, scope = 'acme/web/test') =>
  planned(token, 'startRun', { params: { id: 'acme/web/build' }, body: { scope } })
const confirm = (token: string, { id, target }: Planned, action = 'startRun') =>
  ask(token, 'POST', `/v1/plans/${id}/confirm`, { action, target })
const decide = (token: string, { id }: Planned, verb: 'approve' | 'refuse') =>
  ask(token, 'POST', `/v1/plans/${id}/${verb}`)
const told = ({ status, body }: Answer): string => `${status} ${String(body['code'] ?? body['status'])}`

async function countRuns(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from runs`.execute(db)
  return rows[0]?.count ?? 0
}

async function statusOf({ id }: Planned): Promise<string> {
  const { rows } = await sql<{ status: string }>`select status from plans where id = ${id}`.execute(db)
  return rows[0]?.status ?? ''
}

/** Does nothing: no run, and the plan is as it was. */
async function doesNothing(plan: Planned, attack: () => Promise<Answer>, expected: string): Promise<void> {
  const [runs, status] = [await countRuns(), await statusOf(plan)]
  assert.equal(told(await attack()), expected)
  assert.deepEqual([await countRuns(), await statusOf(plan)], [runs, status])
}

describe('a plan of somebody else', () => {
  test('looks like one that is not there, whatever is asked of it', async () => {
    const plan = await start(olga.token)
    const absent = { ...plan, id: '01900000-0000-7000-8000-00000000dead' }
    for (const other of [erik.token, vera.token, stan.token, boss.token]) {
      for (const attack of [
        (of: Planned) => ask(other, 'GET', `/v1/plans/${of.id}`),
        (of: Planned) => confirm(other, of),
        (of: Planned) => decide(other, of, 'approve'),
        (of: Planned) => decide(other, of, 'refuse'),
      ]) {
        const words = ({ status, body }: Answer) => [status, body['code'], body['detail']]
        assert.deepEqual(words(await attack(plan)), words(await attack(absent)))
        await doesNothing(plan, () => attack(plan), '404 not_found')
      }
      assert.equal((await ask(other, 'GET', '/v1/plans')).text, '[]')
    }
  })

  test('of the same account is seen, and confirmed by the token alone that made it', async () => {
    const plan = await start(olga.token)
    assert.equal((await ask(olgaAgain.token, 'GET', `/v1/plans/${plan.id}`)).body['may_confirm'], false)
    await doesNothing(plan, () => confirm(olgaAgain.token, plan), '403 plan.other_token')
    const { body } = await ask(olga.token, 'POST', '/v1/tokens', { name: 'narrow', team_path: 'acme/web' })
    const narrow = String(body['token'])
    await doesNothing(plan, () => confirm(narrow, plan), '404 not_found')
    assert.equal((await ask(narrow, 'GET', '/v1/plans')).text, '[]')
    const own = await start(narrow)
    assert.equal(told(await confirm(narrow, own)), '200 confirmed')
  })

  test('cannot be planned with a token that only reads', async () => {
    const { body } = await ask(olga.token, 'POST', '/v1/tokens', { name: 'reader', read_only: true })
    const given = { action: 'startRun', params: { id: 'acme/web/build' }, body: { scope: 'acme/web/test' } }
    assert.equal((await ask(String(body['token']), 'POST', '/v1/plans', given)).status, 403)
  })
})

describe('a plan is carried out once', () => {
  test('by many confirmations at a time, which all get the first answer', async () => {
    const plan = await start(olga.token)
    const runs = await countRuns()
    const answers = await Promise.all(Array.from({ length: 6 }, () => confirm(olga.token, plan)))
    assert.equal(await countRuns(), runs + 1)
    assert.deepEqual([...new Set(answers.map(told))], ['200 confirmed'])
    const outcomes = answers.map(({ text }) => JSON.stringify(JSON.parse(text).outcome))
    assert.equal(new Set(outcomes).size, 1)
    await sql`update plans set created_at = now() - interval '1 day', expires_at = now() - interval '23 hours'
      where id = ${plan.id}`.execute(db)
    assert.equal(told(await confirm(olga.token, plan)), '200 confirmed')
    assert.equal(await countRuns(), runs + 1)
  })

  test('with the arguments that were planned, which nobody can change in the database', async () => {
    const [plan, other] = [await start(olga.token), await start(olga.token)]
    await sql`update plans set arguments = (select arguments from plans where id = ${other.id})
      where id = ${plan.id}`.execute(db)
    const runs = await countRuns()
    assert.equal((await confirm(olga.token, plan)).status, 500)
    assert.equal(await countRuns(), runs)
    await sql`delete from plans where id = ${plan.id}`.execute(db)
  })

  test('not when it is late', async () => {
    const plan = await start(olga.token)
    await sql`update plans set created_at = now() - interval '11 minutes', expires_at = now() - interval '1 minute'
      where id = ${plan.id}`.execute(db)
    await doesNothing(plan, () => confirm(olga.token, plan), '409 plan.expired')
    await doesNothing(plan, () => decide(olga.token, plan, 'refuse'), '409 plan.expired')
  })
})

describe('a plan counts on what was there', () => {
  test('of a pipeline that was saved since, nothing starts: a fresh plan stands in its place', async () => {
    const plan = await start(olga.token)
    const document = 'name: build\nsteps:\n  - name: test\n    tasks:\n      - name: unit\n        run: npm run all\n'
    await make(olga.token, 'PUT', '/v1/pipelines/acme%2Fweb%2Fbuild', { document })
    const runs = await countRuns()
    const stale = await confirm(olga.token, plan)
    assert.equal(told(stale), '409 plan.stale')
    assert.match(String(stale.body['detail']), /has changed: pipeline_version/)
    assert.deepEqual([await countRuns(), await statusOf(plan)], [runs, 'stale'])
    const fresh = { ...plan, id: String(stale.headers['location']).replace('/v1/plans/', '') }
    assert.ok(stale.text.includes(fresh.id))
    assert.equal(told(await confirm(olga.token, plan)), '409 plan.stale')
    assert.equal(told(await confirm(olga.token, fresh)), '200 confirmed')
    assert.equal(await countRuns(), runs + 1)
  })

  test('of a trigger that somebody else changed or deleted since', async () => {
    const id = await make(olga.token, 'POST', '/v1/triggers', {
      name: 'on-push',
      team_path: 'acme/web',
      repositories: ['acme/widgets'],
      events: ['push'],
      pipeline: 'acme/web/build',
      scope: 'acme/web/test',
    })
    const change = { params: { id }, body: { enabled: false } }
    const plan = await planned(olga.token, 'updateTrigger', change)
    await make(erik.token, 'PATCH', `/v1/triggers/${id}`, { branches: ['main'] })
    assert.equal(told(await confirm(olga.token, plan, 'updateTrigger')), '409 plan.stale')
    const { rows } = await sql<{ enabled: boolean }>`select enabled from triggers where id = ${id}`.execute(db)
    assert.equal(rows[0]?.enabled, true)
    const again = await planned(olga.token, 'updateTrigger', change)
    await ask(erik.token, 'DELETE', `/v1/triggers/${id}`)
    assert.equal(told(await confirm(olga.token, again, 'updateTrigger')), '404 not_found')
    assert.equal(await statusOf(again), 'waiting')
  })

  test('of a run that began or ended since', async () => {
    const runId = await make(olga.token, 'POST', '/v1/pipelines/acme%2Fweb%2Fbuild/runs', { scope: 'acme/web/test' })
    const plan = await planned(olga.token, 'cancelRun', { params: { id: runId } })
    await sql`update runs set status = 'running', started_at = now() where id = ${runId}`.execute(db)
    assert.equal(told(await confirm(olga.token, plan, 'cancelRun')), '409 plan.stale')
    const { rows } = await sql<{ cancel_requested_at: Date | null }>`
      select cancel_requested_at from runs where id = ${runId}`.execute(db)
    assert.equal(rows[0]?.cancel_requested_at, null)
    const again = await planned(olga.token, 'cancelRun', { params: { id: runId } })
    await sql`update runs set status = 'success', finished_at = now() where id = ${runId}`.execute(db)
    assert.equal(told(await confirm(olga.token, again, 'cancelRun')), '409 run.finished')
  })
})

describe('a plan is judged again when it is confirmed', () => {
  async function aRobot(name: string) {
    // At once: a snapshot that is loaded in between would know the account without its grant for a moment.
    const { id, grant } = await db.transaction().execute(async (tx) => {
      const made = await aServiceAccount(tx, 'acme/web', name)
      return { id: made, grant: await aGrant(tx, `service_account:${made}`, 'editor', 'acme') }
    })
    const { id: tokenId, token } = await aToken(db, { kind: 'service_account', id })
    return { id, grant, tokenId, token }
  }

  test('a right that was taken away is gone', async () => {
    const robot = await aRobot('robot-1')
    const plan = await start(robot.token)
    assert.equal((await ask(boss.token, 'DELETE', `/v1/grants/${robot.grant}`)).status, 204)
    await doesNothing(plan, () => confirm(robot.token, plan), '404 not_found')
    const seen = await ask(robot.token, 'GET', `/v1/plans/${plan.id}`)
    assert.equal(seen.body['status'], 'waiting')
  })

  test('a right that is taken away while the write is under way rolls it back', async () => {
    const robot = await aRobot('robot-2')
    const plan = await start(robot.token)
    const runs = await countRuns()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    // Whoever takes the right away has the revision; the write waits for it at its very end, and finds another one.
    const taking = database.transaction(async (tx) => {
      await sql`delete from grants where id = ${robot.grant}`.execute(tx)
      begin()
      await held
    })
    await begun
    const confirming = confirm(robot.token, plan)
    let isConfirmed = false
    void confirming.finally(() => (isConfirmed = true))
    await waitForLock(() => isConfirmed)
    release()
    await taking
    assert.equal(told(await confirming), '404 not_found')
    assert.deepEqual([await countRuns(), await statusOf(plan)], [runs, 'waiting'])
  })

  test('a token that was revoked, and a subject that was disabled, carry out nothing', async () => {
    const robot = await aRobot('robot-3')
    const plan = await start(robot.token)
    assert.equal((await ask(boss.token, 'DELETE', `/v1/tokens/${robot.tokenId}`)).status, 204)
    await doesNothing(plan, () => confirm(robot.token, plan), '401 unauthenticated')
    const other = await aRobot('robot-4')
    const second = await start(other.token)
    await make(boss.token, 'PATCH', `/v1/service-accounts/${other.id}`, { disabled: true })
    await doesNothing(second, () => confirm(other.token, second), '401 unauthenticated')
  })
})

/** Until so many wait for a lock, or whoever should is over. */
async function waitForLock(isOver: () => boolean, waiting = 1): Promise<void> {
  while (!isOver()) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (rows.length >= waiting) return
    await new Promise(setImmediate)
  }
}

describe('a plan that reaches a protected environment', () => {
  const waiting = async (): Promise<Planned> => {
    const plan = await start(olga.token, 'acme/web/production')
    const asked = await confirm(olga.token, plan)
    assert.equal(told(asked), '202 waiting_for_person')
    assert.match(String(asked.body['confirmation_reason']), /acme\/web\/production is protected/)
    return plan
  }

  test('is carried out as its planner once another person approves it', async () => {
    const runs = await countRuns()
    const plan = await waiting()
    assert.equal(told(await confirm(olga.token, plan)), '202 waiting_for_person')
    assert.equal(await countRuns(), runs)
    const listed = await ask(erik.token, 'GET', '/v1/plans?show=to_approve')
    assert.deepEqual(
      JSON.parse(listed.text).map(({ id, may_approve }: { id: string; may_approve: boolean }) => [id, may_approve]),
      [[plan.id, true]],
    )
    const approved = await decide(erik.token, plan, 'approve')
    assert.equal(told(approved), '200 confirmed')
    assert.equal(await countRuns(), runs + 1)
    assert.equal(told(await decide(erik.token, plan, 'approve')), '200 confirmed')
    assert.equal(told(await confirm(olga.token, plan)), '200 confirmed')
    assert.equal(await countRuns(), runs + 1)
    const { rows } = await sql<{ actor: string; via: string; plan: string }>`
      select actor_name as actor, after #>> '{approved_by,name}' as via, after ->> 'plan_id' as plan from audit_records
      where action = 'run.started' and after ->> 'plan_id' = ${plan.id}`.execute(db)
    assert.deepEqual(rows, [{ actor: 'olga', via: 'erik', plan: plan.id }])
    const { rows: decided } = await sql<{ actor: string; action: string }>`
      select actor_name as actor, action from audit_records where resource_kind = 'plan' and resource_id = ${plan.id}
      order by id`.execute(db)
    assert.deepEqual(
      decided.map(({ actor, action }) => `${actor} ${action}`),
      ['olga plan.created', 'olga plan.asked', 'erik plan.approved'],
    )
  })

  test('is approved by nobody of the same account, nobody who may not do it, and no machine', async () => {
    const plan = await waiting()
    const robot = await aServiceAccount(db, 'acme/web', 'approver')
    await aGrant(db, `service_account:${robot}`, 'owner', 'acme')
    await sql`update environments set allowed_subjects = allowed_subjects || ${`service_account:${robot}`}::text
      where name = 'production'`.execute(db)
    const { token: machine } = await aToken(db, { kind: 'service_account', id: robot })
    const { body } = await ask(erik.token, 'POST', '/v1/tokens', { name: 'narrow', team_path: 'acme' })
    for (const [token, expected] of [
      [olga.token, '403 plan.own'],
      [olgaAgain.token, '403 plan.own'],
      [vera.token, '404 not_found'],
      [boss.token, '404 not_found'],
      [stan.token, '404 not_found'],
      [machine, '404 not_found'],
      [String(body['token']), '403 token_limited'],
    ] as const) {
      await doesNothing(plan, () => decide(token, plan, 'approve'), expected)
    }
    await doesNothing(plan, () => decide(String(body['token']), plan, 'refuse'), '403 forbidden')
    assert.equal(told(await decide(erik.token, plan, 'refuse')), '200 refused')
    await doesNothing(plan, () => decide(erik.token, plan, 'approve'), '409 plan.refused')
    await doesNothing(plan, () => confirm(olga.token, plan), '409 plan.refused')
  })

  test('is not carried out when its planner may no longer act', async () => {
    const given = { action: 'startRun', params: { id: 'acme/web/build' }, body: { scope: 'acme/web/production' } }
    const { id: tokenId, token } = await aToken(db, { kind: 'user', id: olga.id })
    const { body } = await ask(token, 'POST', '/v1/plans', given)
    const plan = { id: String(body['id']), target: String(body['target']) }
    assert.equal(told(await confirm(token, plan)), '202 waiting_for_person')
    assert.equal((await ask(olga.token, 'DELETE', `/v1/tokens/${tokenId}`)).status, 204)
    await doesNothing(plan, () => decide(erik.token, plan, 'approve'), '409 plan.planner_gone')
    const other = await waiting()
    await sql`update environments set allowed_subjects = array[${`user:${erik.id}`}]
      where name = 'production'`.execute(db)
    await ask(boss.token, 'POST', '/v1/groups', { name: 'raises-the-revision' })
    await doesNothing(other, () => decide(erik.token, other, 'approve'), '409 plan.planner_gone')
  })

  test('waits for a person also where the environment was protected after the plan', async () => {
    // Over the API: the next request knows it for certain.
    await make(boss.token, 'POST', '/v1/teams/acme%2Fweb/environments', { name: 'later' })
    const plan = await start(olga.token, 'acme/web/later')
    await make(boss.token, 'PATCH', '/v1/teams/acme%2Fweb/environments/later', {
      protected: true,
      allowed_subjects: [`user:${olga.id}`],
    })
    const runs = await countRuns()
    assert.equal(told(await confirm(olga.token, plan)), '202 waiting_for_person')
    assert.equal(await countRuns(), runs)
  })

  test('waits for a person also where the environment is protected while the write is under way', async () => {
    await make(boss.token, 'POST', '/v1/teams/acme%2Fweb/environments', {
      name: 'meanwhile',
      allowed_subjects: [`user:${olga.id}`],
    })
    const plan = await start(olga.token, 'acme/web/meanwhile')
    const runs = await countRuns()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    // It was judged as open; the write waits at its very end for the revision, and finds another one.
    const protecting = database.transaction(async (tx) => {
      await sql`update environments set protected = true where name = 'meanwhile'`.execute(tx)
      begin()
      await held
    })
    await begun
    const confirming = confirm(olga.token, plan)
    let isConfirmed = false
    void confirming.finally(() => (isConfirmed = true))
    await waitForLock(() => isConfirmed)
    release()
    await protecting
    assert.equal(told(await confirming), '202 waiting_for_person')
    assert.equal(await countRuns(), runs)
  })
})

describe('a plan of a replay', () => {
  test('whose rules its planner may not see takes a person, tells nothing of them, and counts on them', async () => {
    await anEnvironment(db, 'acme/api/test')
    const ned = await aMemberOf(db, 'ned', { 'acme/api': 'owner' })
    await make(boss.token, 'POST', '/v1/secrets', {
      team_path: 'acme/api',
      name: 'hook',
      value: 'a secret of the hook',
    })
    const source = await make(boss.token, 'POST', '/v1/git-webhook-sources', {
      name: 'widgets',
      provider: 'github',
      team_path: 'acme/api',
      auth_mode: 'signature',
      credential_ref: 'secret:acme/api/hook',
      repository_allowlist: ['acme/*'],
    })
    const { headers, body: payload } = signPush({ secret: 'a secret of the hook' })
    await http.app.inject({ method: 'POST', url: `/v1/git/webhooks/${source}`, headers, payload })
    const listed = await ask(ned.token, 'GET', `/v1/git-webhook-sources/${source}/deliveries`)
    const given = { params: { sourceID: source, deliveryID: JSON.parse(listed.text)[0].id } }
    const open = await planned(ned.token, 'replayDelivery', given)
    assert.equal((await ask(ned.token, 'GET', `/v1/plans/${open.id}`)).body['confirmation'], 'agent')
    const trigger = await make(erik.token, 'POST', '/v1/triggers', {
      name: 'hidden',
      team_path: 'acme/web',
      repositories: ['acme/widgets'],
      events: ['push'],
      pipeline: 'acme/web/build',
      scope: 'acme/web/production',
    })
    const runs = await countRuns()
    assert.equal(told(await confirm(ned.token, open, 'replayDelivery')), '409 plan.stale')
    const plan = await planned(ned.token, 'replayDelivery', given)
    assert.equal(told(await confirm(ned.token, plan, 'replayDelivery')), '202 waiting_for_person')
    const seen = await ask(ned.token, 'GET', `/v1/plans/${plan.id}`)
    assert.match(String(seen.body['confirmation_reason']), /^Rules that the planner may not see/)
    assert.doesNotMatch(seen.text, /acme\/web|hidden|It starts nothing with the triggers/)
    // What hidden rules are counted by is a mark of this plan alone: nobody can compare it with anything.
    const again = await ask(ned.token, 'GET', `/v1/plans/${(await planned(ned.token, 'replayDelivery', given)).id}`)
    const markOf = ({ body }: Answer): string => JSON.stringify(body['preconditions'])
    assert.match(markOf(seen), /"starts","value":"[0-9a-f]{32}"/)
    assert.notEqual(markOf(again), markOf(seen))
    // Its approver says yes to what was planned, and to nothing else.
    await make(erik.token, 'PATCH', `/v1/triggers/${trigger}`, { name: 'renamed' })
    assert.equal(told(await decide(boss.token, plan, 'approve')), '409 plan.stale')
    assert.equal(await countRuns(), runs)
  })
})

describe('a plan of what reaches a protected environment later', () => {
  test('by a step, or by a child pipeline however deep, takes a person', async () => {
    const inside = (name: string, step: string) => `name: ${name}\nsteps:\n  - name: go\n${step}`
    await aPipeline(
      db,
      'acme/web/deploy',
      inside('deploy', '    scope: acme/web/production\n    tasks:\n      - name: go\n        run: ./deploy\n'),
    )
    const calls = (name: string): string => `    tasks:\n      - name: go\n        pipeline: acme/web/${name}\n`
    await aPipeline(db, 'acme/web/chain', inside('chain', calls('deploy')))
    const confirmationOf = async (action: string, given: object): Promise<string> => {
      const { id } = await planned(erik.token, action, given)
      const { body } = await ask(erik.token, 'GET', `/v1/plans/${id}`)
      return `${action} ${body['confirmation']}`
    }
    const params = { repoOwner: 'acme', repoName: 'others' }
    const trigger = { name: 'on-tag', team_path: 'acme/web', repositories: ['acme/others'], events: ['tag'] }
    const schedule = { path: 'acme/web', name: 'nightly', schedule_kind: 'recurring', cron_expression: '0 3 * * *' }
    const scope = 'acme/web/test'
    for (const [pipeline, expected] of [
      ['acme/web/build', 'agent'],
      ['acme/web/deploy', 'person'],
      ['acme/web/chain', 'person'],
    ] as const) {
      const name = pipeline.slice('acme/web/'.length)
      for (const [action, given] of [
        ['startRun', { params: { id: pipeline }, body: { scope } }],
        ['createTrigger', { body: { ...trigger, pipeline, scope } }],
        ['createSchedule', { body: { ...schedule, pipeline, scope } }],
        ['replaceOverride', { params, body: { pipeline, scope } }],
      ] as const) {
        assert.equal(await confirmationOf(action, given), `${action} ${expected}`, pipeline)
      }
      const id = `acme/web/of-${name}`
      await make(erik.token, 'POST', '/v1/schedules', { ...schedule, name: `of-${name}`, pipeline, scope })
      for (const [action, given] of [
        ['runSchedule', { params: { id } }],
        ['updateSchedule', { params: { id }, body: { enabled: false } }],
        ['deleteSchedule', { params: { id } }],
      ] as const) {
        assert.equal(await confirmationOf(action, given), `${action} ${expected}`, pipeline)
      }
      // In a team without a protected environment.
      const document = inside('caller', calls(name))
      const saved = await confirmationOf('createPipeline', { body: { team_path: 'acme/other', document } })
      assert.equal(saved, `createPipeline ${expected}`)
    }
  })
})

describe('a plan is confirmed by what it reaches then', () => {
  const inside = (name: string, step: string): string => `name: ${name}\nsteps:\n  - name: go\n${step}`
  const harmless = '    tasks:\n      - name: go\n        run: ./go\n'
  const deploys = `    scope: acme/web/production\n${harmless}`
  const calls = (name: string): string => `    tasks:\n      - name: go\n        pipeline: acme/web/${name}\n`
  const confirmationOf = async (token: string, { id }: Planned) => {
    const { body } = await ask(token, 'GET', `/v1/plans/${id}`)
    return [body['confirmation'], body['confirmation_reason']]
  }
  const PROTECTED = 'The scope acme/web/production is protected: another person has to approve.'

  test('a child pipeline that deploys since asks a person', async () => {
    await aPipeline(db, 'acme/web/leaf', inside('leaf', harmless))
    await aPipeline(db, 'acme/web/tree', inside('tree', calls('leaf')))
    const given = { params: { id: 'acme/web/tree' }, body: { scope: 'acme/web/test' } }
    const plan = await planned(erik.token, 'startRun', given)
    assert.deepEqual(await confirmationOf(erik.token, plan), ['agent', null])
    await make(erik.token, 'PUT', '/v1/pipelines/acme%2Fweb%2Fleaf', { document: inside('leaf', deploys) })
    const runs = await countRuns()
    assert.equal(told(await confirm(erik.token, plan)), '202 waiting_for_person')
    assert.deepEqual(await confirmationOf(erik.token, plan), ['person', PROTECTED])
    assert.equal(await countRuns(), runs)
  })

  test('a version is that of the pipeline that ran, not of a new one with its name', async () => {
    await aPipeline(db, 'acme/web/child', inside('child', deploys))
    const old = await aPipeline(db, 'acme/web/twice', inside('twice', calls('child')))
    const run = await aRun(db, old, { scope: 'acme/web/test' })
    await sql`update runs set status = 'success', finished_at = now(), pipeline_identifier = 'acme/web/twice',
      pipeline_name = 'twice' where id = ${run}`.execute(db)
    assert.equal((await ask(boss.token, 'DELETE', '/v1/pipelines/acme%2Fweb%2Ftwice')).status, 204)
    await aPipeline(db, 'acme/web/twice', inside('twice', harmless))
    const plan = await planned(erik.token, 'rerunRun', { params: { id: run } })
    assert.deepEqual(await confirmationOf(erik.token, plan), ['person', PROTECTED])
  })

  test('an override that goes brings back what it outranked: a trigger, or a manifest', async () => {
    const override = { pipeline: 'acme/web/build', scope: 'acme/web/test' }
    const deletion = async (repository: string): Promise<unknown> => {
      await make(erik.token, 'PUT', `/v1/overrides/acme/${repository}`, override)
      const params = { repoOwner: 'acme', repoName: repository }
      return confirmationOf(erik.token, await planned(erik.token, 'deleteOverride', { params }))
    }
    assert.deepEqual(await deletion('alone'), ['agent', null])
    const trigger = { name: 'covered', team_path: 'acme/web', repositories: ['acme/cover*'], events: ['push'] }
    const scope = 'acme/web/production'
    await make(erik.token, 'POST', '/v1/triggers', { ...trigger, pipeline: 'acme/web/build', scope })
    assert.deepEqual(await deletion('covered'), ['person', PROTECTED])
    await make(boss.token, 'POST', '/v1/secrets', {
      team_path: 'acme/web',
      name: 'hook',
      value: 'a secret of the hook',
    })
    await make(boss.token, 'POST', '/v1/git-webhook-sources', {
      name: 'reads',
      provider: 'github',
      team_path: 'acme/web',
      auth_mode: 'signature',
      credential_ref: 'secret:acme/web/hook',
      repository_allowlist: ['acme/manifest*'],
      read_repository: true,
    })
    assert.deepEqual(await deletion('manifest'), ['person', PROTECTED])
  })

  test('an override that goes asks a person where hidden rules decide then, and tells nothing of them', async () => {
    const nora = await aMemberOf(db, 'nora', { 'acme/other': 'owner' })
    await aPipeline(db, 'acme/other/build')
    const mine = { pipeline: 'acme/other/build', scope: 'acme/other/test' }
    const params = { repoOwner: 'acme', repoName: 'shared' }
    await make(nora.token, 'PUT', '/v1/overrides/acme/shared', mine)
    const open = await planned(nora.token, 'deleteOverride', { params })
    assert.deepEqual(await confirmationOf(nora.token, open), ['agent', null])
    await make(erik.token, 'PUT', '/v1/overrides/acme/shared', { pipeline: 'acme/web/build', scope: 'acme/web/test' })
    assert.equal(told(await confirm(nora.token, open, 'deleteOverride')), '202 waiting_for_person')
    const plan = await planned(nora.token, 'deleteOverride', { params })
    const [confirmation, reason] = await confirmationOf(nora.token, plan)
    assert.equal(confirmation, 'person')
    assert.match(String(reason), /^Rules that the planner may not see/)
    assert.doesNotMatch((await ask(nora.token, 'GET', `/v1/plans/${plan.id}`)).text, /acme\/web/)
    // A hidden trigger, and the manifest that a hidden source reads.
    for (const repoName of ['cover-2', 'manifest-2']) {
      await make(nora.token, 'PUT', `/v1/overrides/acme/${repoName}`, mine)
      const other = await planned(nora.token, 'deleteOverride', { params: { repoOwner: 'acme', repoName } })
      assert.deepEqual(await confirmationOf(nora.token, other), ['person', reason], repoName)
    }
  })
})

describe('a plan that waits for a person', async () => {
  const anna = await aMemberOf(db, 'anna', { acme: 'editor' })
  const otto = await aMemberOf(db, 'otto', {})
  const grant = await aGrant(db, `user:${otto.id}`, 'editor', 'acme')
  await anEnvironment(db, 'acme/ops/prod', {
    protected: true,
    allowedSubjects: [`user:${anna.id}`, `user:${otto.id}`],
  })

  test('names a protected environment to those alone who may see it', async () => {
    const pia = await aMemberOf(db, 'pia', { 'acme/web': 'editor' })
    const document = (run: string): string =>
      `name: shared\nsteps:\n  - name: go\n    tasks:\n      - name: go\n        run: ${run}\n`
    await aPipeline(db, 'acme/web/shared', document('./old'))
    await make(anna.token, 'POST', '/v1/triggers', {
      name: 'releases',
      team_path: 'acme/ops',
      repositories: ['acme/shared'],
      events: ['tag'],
      pipeline: 'acme/web/shared',
      scope: 'acme/ops/prod',
    })
    const given = { params: { id: 'acme/web/shared' }, body: { document: document('./new') } }
    const plan = await planned(anna.token, 'replacePipeline', given)
    const asked = await confirm(anna.token, plan, 'replacePipeline')
    const NAMED = 'The scope acme/ops/prod is protected: another person has to approve.'
    assert.deepEqual([told(asked), asked.body['confirmation_reason']], ['202 waiting_for_person', NAMED])
    assert.equal((await ask(otto.token, 'GET', `/v1/plans/${plan.id}`)).body['confirmation_reason'], NAMED)
    const one = await ask(pia.token, 'GET', `/v1/plans/${plan.id}`)
    const reason = 'It may reach a protected environment: another person has to approve.'
    assert.deepEqual([one.body['may_approve'], one.body['confirmation_reason']], [true, reason])
    const listed = await ask(pia.token, 'GET', '/v1/plans')
    assert.ok(listed.text.includes(plan.id))
    const refused = await decide(pia.token, plan, 'refuse')
    assert.equal(told(refused), '200 refused')
    for (const { text } of [one, listed, refused]) assert.doesNotMatch(text, /acme\/ops/)
  })

  test('to decide about a run is shown to those alone who could decide', async () => {
    const { id: pipelineId, versionId } = await aPipeline(db, 'acme/web/forked')
    const run = await aRun(db, { id: pipelineId, versionId }, { heldFork: 7, scope: 'acme/web/test' })
    const given = { params: { id: run, step: 'fork' }, body: { decision: 'approve' } }
    const plan = await planned(anna.token, 'decideApproval', given)
    await sql`update plans set confirmation = 'person', confirmation_reason = 'x' where id = ${plan.id}`.execute(db)
    assert.equal(told(await confirm(anna.token, plan, 'decideApproval')), '202 waiting_for_person')
    for (const attack of [
      () => ask(vera.token, 'GET', `/v1/plans/${plan.id}`),
      () => decide(vera.token, plan, 'approve'),
      () => decide(vera.token, plan, 'refuse'),
    ]) {
      await doesNothing(plan, attack, '404 not_found')
    }
    assert.equal((await ask(vera.token, 'GET', '/v1/plans')).text, '[]')
    const seen = await ask(otto.token, 'GET', `/v1/plans/${plan.id}`)
    assert.deepEqual([seen.status, seen.body['may_approve']], [200, true])
    assert.equal(told(await decide(otto.token, plan, 'refuse')), '200 refused')
    assert.equal((await ask(vera.token, 'GET', `/v1/plans/${plan.id}`)).status, 404)
    assert.equal((await ask(otto.token, 'GET', `/v1/plans/${plan.id}`)).status, 200)
  })

  test('is listed, shown and told to those alone whom the step names, and both who are named hear what became of it', async () => {
    const { id: pipelineId, versionId } = await aPipeline(db, 'acme/web/asked')
    const run = await aRun(db, { id: pipelineId, versionId }, { scope: 'acme/web/test' })
    const approvers = ['user:anna', 'user:otto', 'user:olga']
    await sql`insert into approval_requests (id, run_id, step, team_path, pipeline_identifier, pipeline_version_id, scope,
        initiator_kind, initiator_id, initiator_name, approvers, required, allow_self, fields, status, requested_at, deadline_at)
      values (gen_random_uuid(), ${run}, 'ship', 'acme/web', 'acme/web/asked', ${versionId}, 'acme/web/test', 'user',
        ${boss.id}, 'boss', ${approvers}, 2, false, '[]', 'waiting', now(), now() + interval '1 day')`.execute(db)
    const [named, unnamed] = await Promise.all(
      [otto, erik].map(({ token }) =>
        follow(address, { topics: 'plans', headers: { authorization: `Bearer ${token}` } }),
      ),
    )
    assert.ok(named && unnamed)
    const given = { params: { id: run, step: 'ship' }, body: { decision: 'approve' } }
    const plan = await planned(anna.token, 'decideApproval', given)
    await sql`update plans set confirmation = 'person', confirmation_reason = 'x' where id = ${plan.id}`.execute(db)
    assert.equal(told(await confirm(anna.token, plan, 'decideApproval')), '202 waiting_for_person')
    // A plan that both may see comes after it: whoever is told of the first has heard of it by then.
    const open = await start(anna.token)
    await sql`update plans set confirmation = 'person', confirmation_reason = 'x' where id = ${open.id}`.execute(db)
    assert.equal(told(await confirm(anna.token, open)), '202 waiting_for_person')
    await Promise.all([named, unnamed].map((follower) => follower.until(({ data }) => data['id'] === open.id)))
    const heard = ({ seen: events }: typeof named) => events.some(({ data }) => data['id'] === plan.id)
    assert.deepEqual([heard(named), heard(unnamed)], [true, false])
    for (const follower of [named, unnamed]) follower.close()
    const idsFor = async ({ token }: { readonly token: string }): Promise<readonly string[]> =>
      JSON.parse((await ask(token, 'GET', '/v1/plans?show=to_approve')).text).map(({ id }: { id: string }) => id)
    assert.ok((await idsFor(otto)).includes(plan.id))
    assert.ok(!(await idsFor(erik)).includes(plan.id))
    const { body: limited } = await ask(otto.token, 'POST', '/v1/tokens', { name: 'reads', permissions: ['run.read'] })
    for (const attack of [
      () => ask(erik.token, 'GET', `/v1/plans/${plan.id}`),
      () => decide(erik.token, plan, 'approve'),
      () => ask(String(limited['token']), 'GET', `/v1/plans/${plan.id}`),
    ]) {
      await doesNothing(plan, attack, '404 not_found')
    }
    assert.equal(told(await decide(otto.token, plan, 'approve')), '200 confirmed')
    const slower = await decide(olga.token, plan, 'approve')
    assert.equal(told(slower), '200 confirmed')
    assert.equal(JSON.parse(slower.text).outcome.body.approval.name, 'ship')
    const { rows } = await sql`select 1 from approval_decisions d join approval_requests r on r.id = d.request_id
      where r.run_id = ${run}`.execute(db)
    assert.equal(rows.length, 1)
    // What no key opens any more hides nothing else, and nobody may do it. Its planner can see that it is there.
    const [broken, late] = [await planned(anna.token, 'decideApproval', given), await start(anna.token)]
    await sql`update plans set confirmation = 'person', confirmation_reason = 'x', status = 'waiting_for_person',
      arguments = 'x' where id = ${broken.id}`.execute(db)
    await sql`update plans set arguments = 'x' where id = ${late.id}`.execute(db)
    await sql`update plans set outcome = 'x' where id = ${plan.id}`.execute(db)
    const left = await idsFor(otto)
    assert.deepEqual(
      [open.id, broken.id].map((id) => left.includes(id)),
      [true, false],
    )
    assert.equal((await ask(otto.token, 'GET', `/v1/plans/${broken.id}`)).status, 404)
    const own = JSON.parse((await ask(anna.token, 'GET', '/v1/plans?show=own')).text)
    const shown = (id: string) => {
      const { arguments: args, may_confirm, outcome } = own.find((each: { id: string }) => each.id === id)
      return [args, may_confirm, outcome?.body]
    }
    assert.deepEqual(
      [broken, late].map(({ id }) => shown(id)),
      [
        [{}, false, undefined],
        [{}, false, undefined],
      ],
    )
    assert.deepEqual(shown(plan.id), [given, false, null])
    for (const each of [broken, late]) assert.equal(told(await decide(anna.token, each, 'refuse')), '200 refused')
  })

  test('is approved by two at once, and both are told that it was done', async () => {
    const id = await make(anna.token, 'POST', '/v1/triggers', {
      name: 'two-at-once',
      team_path: 'acme/web',
      repositories: ['acme/two'],
      events: ['push'],
      pipeline: 'acme/web/build',
      scope: 'acme/web/test',
    })
    const plan = await planned(anna.token, 'deleteTrigger', { params: { id } })
    await sql`update plans set confirmation = 'person', confirmation_reason = 'x' where id = ${plan.id}`.execute(db)
    assert.equal(told(await confirm(anna.token, plan, 'deleteTrigger')), '202 waiting_for_person')
    // The first has written and waits for the rights; the second waits for what the first has written.
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const holding = database.transaction(async (tx) => {
      await sql`select 1 from access_revision for update`.execute(tx)
      begin()
      await held
    })
    await begun
    let over = 0
    const asked: Promise<Answer>[] = []
    for (const { token } of [otto, erik]) {
      const answer = decide(token, plan, 'approve')
      void answer.finally(() => (over += 1))
      asked.push(answer)
      await waitForLock(() => over > 0, asked.length)
    }
    release()
    await holding
    assert.deepEqual((await Promise.all(asked)).map(told), ['200 confirmed', '200 confirmed'])
  })

  test('is refused also where nobody can carry it out any more', async () => {
    await aPipeline(db, 'acme/web/going')
    const given = { params: { id: 'acme/web/going' }, body: { scope: 'acme/ops/prod' } }
    const plan = await planned(anna.token, 'startRun', given)
    assert.equal(told(await confirm(anna.token, plan)), '202 waiting_for_person')
    assert.equal((await ask(boss.token, 'DELETE', '/v1/pipelines/acme%2Fweb%2Fgoing')).status, 204)
    await doesNothing(plan, () => decide(otto.token, plan, 'approve'), '404 not_found')
    assert.equal(told(await decide(otto.token, plan, 'refuse')), '200 refused')
  })

  test('that is stale tells its approver nothing of the fresh plan, which is for its planner', async () => {
    await aPipeline(db, 'acme/web/stale')
    const given = { params: { id: 'acme/web/stale' }, body: { scope: 'acme/ops/prod' } }
    const plan = await planned(anna.token, 'startRun', given)
    assert.equal(told(await confirm(anna.token, plan)), '202 waiting_for_person')
    const document = 'name: stale\nsteps:\n  - name: test\n    tasks:\n      - name: unit\n        run: npm run all\n'
    await make(olga.token, 'PUT', '/v1/pipelines/acme%2Fweb%2Fstale', { document })
    const stale = await decide(otto.token, plan, 'approve')
    assert.equal(told(stale), '409 plan.stale')
    assert.match(String(stale.body['detail']), /has changed: pipeline_version\. Nothing was done: its planner has to/)
    const own = await confirm(anna.token, plan)
    assert.equal(told(own), '409 plan.stale')
    const fresh = String(own.headers['location']).replace('/v1/plans/', '')
    const again = await decide(otto.token, plan, 'approve')
    const shown = await ask(otto.token, 'GET', `/v1/plans/${plan.id}`)
    assert.equal(shown.body['status'], 'stale')
    for (const { text, headers } of [stale, again, shown]) {
      assert.ok(!text.includes(fresh) && headers['location'] === undefined, text)
    }
    assert.equal((await ask(anna.token, 'GET', `/v1/plans/${plan.id}`)).body['replaced_by'], fresh)
  })

  test('that two approve at once while it is stale leaves one fresh plan', async () => {
    await aPipeline(db, 'acme/web/renewed')
    const given = { params: { id: 'acme/web/renewed' }, body: { scope: 'acme/ops/prod' } }
    const plan = await planned(anna.token, 'startRun', given)
    assert.equal(told(await confirm(anna.token, plan)), '202 waiting_for_person')
    const document = 'name: renewed\nsteps:\n  - name: test\n    tasks:\n      - name: unit\n        run: npm run all\n'
    await make(olga.token, 'PUT', '/v1/pipelines/acme%2Fweb%2Frenewed', { document })
    const peer = await aMemberOf(db, 'paul', { acme: 'editor' })
    await make(boss.token, 'PATCH', '/v1/teams/acme%2Fops/environments/prod', {
      allowed_subjects: [anna, otto, peer].map(({ id }) => `user:${id}`),
    })
    // Both have looked at the open plan, and wait to end it.
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const holding = database.transaction(async (tx) => {
      await sql`select 1 from plans where id = ${plan.id} for update`.execute(tx)
      begin()
      await held
    })
    await begun
    let over = 0
    const asked = [otto, peer].map(({ token }) => decide(token, plan, 'approve').finally(() => (over += 1)))
    await waitForLock(() => over > 0, 2)
    release()
    await holding
    assert.deepEqual((await Promise.all(asked)).map(told), ['409 plan.stale', '409 plan.stale'])
    const { rows } = await sql<{ id: string; status: string }>`select id, status from plans
      where target = ${plan.target} order by id`.execute(db)
    const { body } = await ask(anna.token, 'GET', `/v1/plans/${plan.id}`)
    assert.deepEqual(rows, [
      { id: plan.id, status: 'stale' },
      { id: body['replaced_by'], status: 'waiting' },
    ])
  })

  test('carries out nothing while rights keep changing, and sends whoever asked back', async () => {
    const [plan, other] = [await start(anna.token), await start(anna.token, 'acme/ops/prod')]
    assert.equal(told(await confirm(anna.token, other)), '202 waiting_for_person')
    // Within each write, somebody's rights change just before they are held.
    await sql`create trigger rights_change after update on plans
      for each statement execute function raise_access_revision()`.execute(db)
    const attacks = [
      [plan, () => confirm(anna.token, plan)],
      [other, () => decide(otto.token, other, 'approve')],
    ] as const
    for (const [of, attack] of attacks) {
      const late = attack().then((answer) => {
        assert.equal(answer.headers['retry-after'], '1')
        return answer
      })
      await doesNothing(of, () => late, '503 authorization_unavailable')
    }
    await sql`drop trigger rights_change on plans`.execute(db)
    assert.equal(told(await confirm(anna.token, plan)), '200 confirmed')
    assert.equal(told(await decide(otto.token, other, 'approve')), '200 confirmed')
  })

  test('ends with the session that made it', async () => {
    const session = await aSession(db, { userId: anna.id })
    const headers = { cookie: session.cookie, 'sec-fetch-site': 'same-origin' }
    const send = async (url: string, payload: object) => {
      const answer = await http.app.inject({ method: 'POST', url, headers, payload })
      return { status: answer.statusCode, body: answer.json() }
    }
    const given = { action: 'startRun', params: { id: 'acme/web/build' }, body: { scope: 'acme/ops/prod' } }
    const { body } = await send('/v1/plans', given)
    const { id, target } = body
    assert.equal((await send(`/v1/plans/${id}/confirm`, { action: 'startRun', target })).status, 202)
    assert.equal((await ask(anna.token, 'DELETE', `/v1/sessions/${session.id}`)).status, 204)
    await doesNothing({ id, target }, () => decide(otto.token, { id, target }, 'approve'), '409 plan.planner_gone')
  })

  test('is not carried out when the right of its approver is taken away meanwhile', async () => {
    const plan = await start(anna.token, 'acme/ops/prod')
    assert.equal(told(await confirm(anna.token, plan)), '202 waiting_for_person')
    const runs = await countRuns()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const taking = database.transaction(async (tx) => {
      await sql`delete from grants where id = ${grant}`.execute(tx)
      begin()
      await held
    })
    await begun
    const approving = decide(otto.token, plan, 'approve')
    let isOver = false
    void approving.finally(() => (isOver = true))
    await waitForLock(() => isOver)
    release()
    await taking
    assert.equal(told(await approving), '404 not_found')
    assert.deepEqual([await countRuns(), await statusOf(plan)], [runs, 'waiting_for_person'])
  })

  test('is one that brings tasks of a protected environment to a runner', async () => {
    const { id } = await aRunner(db, { teamPath: 'acme', scopes: ['acme/other/test'], name: 'narrow' })
    const { id: wide } = await aRunner(db, { teamPath: 'acme', scopes: ['acme/**'], name: 'wide' })
    for (const [runner, body, expected] of [
      [id, { labels: ['gpu'] }, 'agent'],
      [id, { scopes: ['acme/**'] }, 'person'],
      [wide, { scopes: ['acme/other/test'] }, 'person'],
      [wide, { labels: ['gpu'] }, 'person'],
      [wide, { draining: true }, 'agent'],
    ] as const) {
      const plan = await planned(boss.token, 'updateRunner', { params: { id: runner }, body })
      const seen = await ask(boss.token, 'GET', `/v1/plans/${plan.id}`)
      assert.equal(seen.body['confirmation'], expected, JSON.stringify(body))
    }
  })
})
