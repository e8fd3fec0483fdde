import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestClock, createTestDatabase } from '#platform/testing'
import { aDocument, aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember, aMemberOf } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { aSchedule, fieldsOf, openSchedules, PIPELINE, TEAM } from './testing.ts'

const PATH = '/v1/schedules'
const HOUR_MS = 3_600_000
const testDatabase = await createTestDatabase()
const clock = createTestClock(new Date('2026-11-23T09:00:00.000Z'))
const house = await openSchedules(testDatabase, { clock })
after(() => house.close())
const db = testDatabase.database.kysely
await anEnvironment(db, 'acme/other/staging')
await aPipeline(db, 'acme/other/build')
await aPipeline(db, 'acme/web/lettered', aDocument('lettered', 'variables: { MY_LETTER: none }\n'))
const editor = await aMember(db, 'editor', 'editor', TEAM)
const operator = (await aMember(db, 'operator', 'operator', TEAM)).headers
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers

let count = 0
async function create(overrides: Record<string, unknown> = {}) {
  count += 1
  const called = await house.call('POST', PATH, aSchedule({ name: `s${count}`, ...overrides }))
  assert.equal(called.status, 201, called.text)
  return { ...called, url: `${PATH}/${called.body['id']}` }
}

/** Hours from now, as a whole hour of UTC. */
function inHours(hours: number): string {
  const at = new Date(clock.now().getTime() + hours * HOUR_MS)
  at.setUTCMinutes(0, 0, 0)
  return at.toISOString()
}

async function auditOf(id: unknown): Promise<Record<string, unknown>[]> {
  const { body } = await house.call('GET', `/v1/audit?resource=schedule:${String(id)}`)
  return Object.values(body).map((record) => ({ ...Object(record) }))
}

describe('replace and update', () => {
  test('a document that was read can be written back; who writes last owns it; an old ETag is 409', async () => {
    const { url } = await create({ variables: { MY_LETTER: 'a' }, pipeline: 'acme/web/lettered', spread: '10m' })
    const { body, headers } = await house.call('GET', url)
    const ifMatch = { 'if-match': String(headers['etag']) }
    const put = await house.call('PUT', url, body, { headers: { ...editor.headers, ...ifMatch } })
    assert.equal(put.status, 200, put.text)
    const { recent_runs: _runs, upcoming: _upcoming, words: _words, ...document } = body
    assert.deepEqual({ ...put.body, owner: 0, updated_at: 0 }, { ...document, owner: 0, updated_at: 0 })
    assert.deepEqual(put.body['owner'], { kind: 'user', id: editor.id, name: 'editor' })
    assert.notEqual(put.headers['etag'], headers['etag'])
    const late = { headers: ifMatch }
    assert.equal((await house.call('PUT', url, body, late)).status, 409)
    assert.equal((await house.call('PATCH', url, { enabled: false }, late)).body['code'], 'version_conflict')
    assert.equal((await house.call('DELETE', url, undefined, late)).status, 409)
    assert.equal((await house.call('POST', `${url}/enable`, undefined, late)).status, 409)
    assert.equal((await house.call('POST', `${url}/disable`, undefined, late)).status, 409)
    const current = { headers: { 'if-match': String(put.headers['etag']) } }
    assert.equal((await house.call('PATCH', url, {}, current)).status, 200)
  })

  test('PUT gives defaults to what it leaves out; PATCH leaves it', async () => {
    const { url, body } = await create({ overlap_policy: 'skip', enabled: false, exclude_dates: ['2026-12-25'] })
    const patched = await house.call('PATCH', url, { misfire_policy: 'last' })
    assert.deepEqual(patched.body, { ...body, misfire_policy: 'last', updated_at: patched.body['updated_at'] })
    const put = await house.call('PUT', url, aSchedule({ name: body['name'] }))
    const { overlap_policy, misfire_policy, enabled, exclude_dates } = put.body
    assert.deepEqual([overlap_policy, misfire_policy, enabled, exclude_dates], ['allow', 'skip', true, []])
  })

  test('a new name and a new team change the identifier, and need the right in both', async () => {
    const { url, body } = await create()
    const renamed = await house.call('PATCH', url, { name: `${body['name']}-new` }, { headers: editor.headers })
    assert.equal(renamed.body['identifier'], `${body['identifier']}-new`, renamed.text)
    assert.equal((await house.call('GET', `${PATH}/${encodeURIComponent(String(body['identifier']))}`)).status, 404)
    const byName = `${PATH}/${encodeURIComponent(String(renamed.body['identifier']))}`
    assert.equal((await house.call('GET', byName)).body['id'], body['id'])
    const away = { path: 'acme/other' }
    assert.equal((await house.call('PATCH', url, away, { headers: editor.headers })).status, 403)
    const moved = await house.call('PATCH', byName, away)
    assert.equal(moved.body['identifier'], `acme/other/${body['name']}-new`, moved.text)
    assert.equal((await house.call('GET', url, undefined, { headers: editor.headers })).status, 404)
    const other = await create()
    const taken = await house.call('PATCH', other.url, { path: 'acme/other', name: `${body['name']}-new` })
    assert.deepEqual([taken.status, taken.body['code']], [409, 'schedule.name_taken'])
    assert.equal((await house.call('PUT', other.url, { ...other.body, ...moved.body })).status, 409)
  })

  test('a timing that changes is computed from now; other changes leave the next instant', async () => {
    const { url, body } = await create({ cron_expression: 'H H * * *', spread: '5h' })
    const kept = await house.call('PATCH', url, { overlap_policy: 'skip', run_team_path: TEAM })
    assert.equal(kept.body['next_fire_at'], body['next_fire_at'])
    for (const change of [
      { cron_expression: '0 12 * * *' },
      { timezone: 'UTC' },
      { spread: null },
      { exclude_dates: [inHours(0).slice(0, 10)] },
      { not_before: '2027-01-01T00:00:00Z' },
    ]) {
      const before = (await house.call('GET', url)).body['next_fire_at']
      const changed = await house.call('PATCH', url, change)
      assert.equal(changed.status, 200, changed.text)
      assert.notEqual(changed.body['next_fire_at'], before, Object.keys(change)[0])
      const detail = await house.call('GET', url)
      assert.equal(Object(detail.body['upcoming'])[0].planned_at, changed.body['next_fire_at'])
    }
  })

  test('the kind changes with its fields', async () => {
    const { url } = await create()
    const refused = await house.call('PATCH', url, { schedule_kind: 'one_time', run_at: inHours(5) })
    assert.deepEqual([refused.status, fieldsOf(refused.body)], [400, ['cron_expression']])
    const change = { schedule_kind: 'one_time', run_at: inHours(5), cron_expression: null }
    const once = await house.call('PATCH', url, change)
    assert.equal(once.body['next_fire_at'], inHours(5), once.text)
    assert.equal((await house.call('PATCH', url, { run_at: null })).status, 400)
    assert.deepEqual(fieldsOf((await house.call('PATCH', url, { run_at: inHours(-1) })).body), ['run_at'])
  })

  test('a write is judged whole: 400 for what is wrong now, 403 for what its writer may not start', async () => {
    const { url, body } = await create({ pipeline: 'acme/other/build', scope: 'acme/other/staging' })
    const asEditor = { headers: editor.headers }
    const hidden = await house.call('PATCH', url, { enabled: true }, asEditor)
    assert.deepEqual([hidden.status, fieldsOf(hidden.body)], [400, ['scope', 'pipeline']])
    const seer = await aMemberOf(db, 'seer', { [TEAM]: 'editor', 'acme/other': 'viewer' })
    assert.equal((await house.call('PATCH', url, {}, { headers: seer.headers })).status, 403)
    const { body: unchanged } = await house.call('GET', url)
    assert.deepEqual([unchanged['owner'], unchanged['updated_at']], [body['owner'], body['updated_at']])
    for (const headers of [viewer, operator]) {
      for (const [method, below] of [
        ['PUT', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/enable'],
        ['POST', '/disable'],
      ] as const) {
        const sent = method === 'PUT' ? body : method === 'PATCH' ? {} : undefined
        assert.equal((await house.call(method, `${url}${below}`, sent, { headers })).status, 403, method)
      }
    }
    assert.deepEqual(fieldsOf((await house.call('PATCH', url, { colour: 'red' })).body), ['colour'])
    assert.deepEqual(fieldsOf((await house.call('PUT', url, { name: 'x' })).body), [
      'path',
      'pipeline',
      'schedule_kind',
    ])
  })

  test('whoever lost their rights, or whose token was revoked, writes nothing', async () => {
    const { url } = await create()
    const leaver = await aMember(db, 'leaver', 'editor', TEAM)
    assert.equal((await house.call('PATCH', url, {}, { headers: leaver.headers })).status, 200)
    await db.deleteFrom('grants').where('user_id', '=', leaver.id).execute()
    await clock.advance(1)
    const lost = async () => (await house.call('PATCH', url, {}, { headers: leaver.headers })).status
    for (let tries = 0; tries < 100 && (await lost()) === 200; tries += 1) await new Promise(setImmediate)
    assert.equal(await lost(), 404)
    await db.updateTable('tokens').set({ revoked_at: new Date() }).where('user_id', '=', leaver.id).execute()
    for (let tries = 0; tries < 100 && (await lost()) === 404; tries += 1) await new Promise(setImmediate)
    assert.equal(await lost(), 401)
  })

  test('two writers at once take turns; a reader with an old ETag loses', async () => {
    const { url, headers } = await create()
    const ifMatch = { headers: { 'if-match': String(headers['etag']) } }
    const policies = ['skip', 'queue_one', 'cancel_running', 'skip']
    const answers = await Promise.all(
      policies.map((policy) => house.call('PATCH', url, { overlap_policy: policy }, ifMatch)),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409])
  })
})

describe('enable and disable', () => {
  test('disable needs schedule.write alone, keeps the owner and is idempotent', async () => {
    const { url, body } = await create({ pipeline: 'acme/other/build', scope: 'acme/other/staging' })
    const disabled = await house.call('POST', `${url}/disable`, undefined, { headers: editor.headers })
    assert.equal(disabled.status, 200, disabled.text)
    assert.deepEqual([disabled.body['enabled'], disabled.body['next_fire_at']], [false, null])
    assert.deepEqual(disabled.body['owner'], body['owner'])
    const again = await house.call('POST', `${url}/disable`)
    assert.deepEqual(again.body, disabled.body)
    const refused = await house.call('POST', `${url}/enable`, undefined, { headers: editor.headers })
    assert.equal(refused.status, 400, 'its pipeline is hidden')
  })

  test('enable makes the caller the owner, counts from now and makes up for nothing', async () => {
    const { url, body } = await create({ cron_expression: '30 * * * *', misfire_policy: 'all' })
    await house.call('POST', `${url}/disable`)
    await clock.advance(5 * HOUR_MS)
    const enabled = await house.call('POST', `${url}/enable`, undefined, { headers: editor.headers })
    assert.equal(enabled.status, 200, enabled.text)
    assert.equal(Object(enabled.body['owner'])['name'], 'editor')
    const first = new Date(String(enabled.body['next_fire_at']))
    assert.ok(first > clock.now() && first.getTime() - clock.now().getTime() <= HOUR_MS)
    await house.scheduler.fire()
    const again = await house.call('POST', `${url}/enable`)
    assert.deepEqual(again.body, enabled.body, 'idempotent: the owner stays, too')
    assert.deepEqual((await house.call('GET', `${url}/fires`)).body, [])
    const records = await auditOf(body['id'])
    assert.deepEqual(
      records.map(({ action }) => action),
      ['schedule.enabled', 'schedule.disabled', 'schedule.created'],
    )
    const owners = [records[0]?.['before'], records[0]?.['after']].map((state) => Object(state)['owner']?.name)
    assert.deepEqual(owners, ['root', 'editor'])
  })

  test('enable takes over a schedule whose owner lost the right to start it', async () => {
    const { url, body } = await create()
    const owned = { owner_kind: 'user', owner_id: randomUUID(), owner_name: 'gone' } as const
    await db.updateTable('schedules').set(owned).where('id', '=', String(body['id'])).execute()
    const taken = await house.call('POST', `${url}/enable`, undefined, { headers: editor.headers })
    assert.equal(taken.status, 200, taken.text)
    assert.equal(Object(taken.body['owner'])['name'], 'editor')
    assert.equal(taken.body['next_fire_at'], body['next_fire_at'])
  })

  test('an instant that is due when somebody changes or disables the schedule is recorded, not lost', async () => {
    const changes = [
      (url: string) => house.call('PATCH', url, { cron_expression: '30 * * * *' }),
      (url: string) => house.call('POST', `${url}/disable`),
    ]
    for (const change of changes) {
      const { url, body } = await create({ cron_expression: '0 * * * *', timezone: 'UTC' })
      await clock.advance(2 * HOUR_MS)
      assert.equal((await change(url)).status, 200)
      const { body: fires } = await house.call('GET', `${url}/fires`)
      const [newest, oldest] = [Object(fires[0]), Object(fires[1])]
      assert.deepEqual([newest['outcome'], oldest['outcome']], ['missed', 'missed'])
      assert.match(String(oldest['reason']), /before this instant fired/)
      assert.equal(oldest['planned_at'], body['next_fire_at'])
    }
  })

  test('a change that leaves the timing alone leaves what is due to the scheduler', async () => {
    const { url, body } = await create({ cron_expression: '0 * * * *', timezone: 'UTC' })
    await clock.advance(HOUR_MS)
    const changed = await house.call('PATCH', url, { overlap_policy: 'skip' })
    assert.equal(changed.body['next_fire_at'], body['next_fire_at'])
    assert.deepEqual((await house.call('GET', `${url}/fires`)).body, [])
  })

  test('an instant that fired does not fire again after a clock that was set back', async () => {
    const { url, body } = await create({ cron_expression: '0 * * * *' })
    const fired = new Date(inHours(3))
    await db.updateTable('schedules').set({ last_fire_at: fired }).where('id', '=', String(body['id'])).execute()
    await house.call('POST', `${url}/disable`)
    const enabled = await house.call('POST', `${url}/enable`)
    assert.equal(enabled.body['next_fire_at'], inHours(4))
    assert.equal((await house.call('PATCH', url, { timezone: 'UTC' })).body['next_fire_at'], inHours(4))
  })

  test('each write ends the wait for a repository', async () => {
    const changes = [
      (url: string) => house.call('PATCH', url, { overlap_policy: 'skip' }),
      (url: string) => house.call('POST', `${url}/disable`),
    ]
    for (const change of changes) {
      const { url, body } = await create()
      const waits = { retry_at: clock.now(), retry_reason: 'The repository does not answer.' }
      await db.updateTable('schedules').set(waits).where('id', '=', String(body['id'])).execute()
      assert.equal((await change(url)).status, 200)
      const rows = db.selectFrom('schedules').select(['retry_at', 'retry_reason'])
      const row = await rows.where('id', '=', String(body['id'])).executeTakeFirst()
      assert.deepEqual(row, { retry_at: null, retry_reason: null })
    }
  })

  test('a one-time schedule that has fired is written back as it is, and enabled only with a new time', async () => {
    const { url } = await create({ schedule_kind: 'one_time', cron_expression: undefined, run_at: inHours(1) })
    await clock.advance(HOUR_MS)
    await house.scheduler.fire()
    const { body } = await house.call('GET', url)
    assert.deepEqual([body['enabled'], body['next_fire_at'], body['last_outcome']], [false, null, 'started'])
    const put = await house.call('PUT', url, body)
    assert.equal(put.status, 200, put.text)
    assert.deepEqual([put.body['last_run_id'], put.body['last_outcome']], [body['last_run_id'], 'started'])
    const refused = await house.call('POST', `${url}/enable`)
    assert.deepEqual([refused.status, fieldsOf(refused.body)], [400, ['run_at']])
    assert.deepEqual(fieldsOf((await house.call('PATCH', url, { enabled: true })).body), ['run_at'])
    const anew = await house.call('PATCH', url, { enabled: true, run_at: inHours(2) })
    assert.equal(anew.body['next_fire_at'], inHours(2), anew.text)
  })

  test('a schedule that is due, and whose text alone changes, still fires for its instant', async () => {
    const { url, body } = await create({ cron_expression: '0 * * * *' })
    await clock.advance(HOUR_MS)
    const due = body['next_fire_at']
    assert.ok(new Date(String(due)) <= clock.now())
    const changed = await house.call('PATCH', url, { overlap_policy: 'skip' })
    assert.equal(changed.body['next_fire_at'], due)
  })
})

describe('delete', () => {
  test('ends the fires and leaves the runs; each write has its record with what was and what is', async () => {
    const { url, body } = await create({ cron_expression: '0 * * * *' })
    const { body: started } = await house.call('POST', `${url}/run`)
    await house.call('PATCH', url, { misfire_grace_seconds: 60 }, { headers: editor.headers })
    const deleted = await house.call('DELETE', url)
    assert.deepEqual([deleted.status, deleted.text], [204, ''])
    for (const method of ['GET', 'DELETE'] as const) assert.equal((await house.call(method, url)).status, 404)
    await clock.advance(2 * HOUR_MS)
    await house.scheduler.fire()
    const runs = await db.selectFrom('runs').select('id').where('schedule_id', '=', String(body['id'])).execute()
    assert.deepEqual(
      runs.map(({ id }) => id),
      [started['run_id']],
    )
    const records = await auditOf(body['id'])
    assert.deepEqual(
      records.map(({ action }) => action),
      ['schedule.deleted', 'schedule.updated', 'schedule.run', 'schedule.created'],
    )
    const [last, update, run, creation] = records
    assert.deepEqual(creation?.['after'], body)
    assert.deepEqual(update?.['before'], body)
    assert.equal(Object(update?.['after']).misfire_grace_seconds, 60)
    assert.equal(Object(Object(update?.['after']).owner).name, 'editor')
    assert.equal(Object(last?.['before']).misfire_grace_seconds, 60)
    assert.equal(Object(run?.['after']).run_id, started['run_id'])
  })

  test('needs no right to start what it starts', async () => {
    const { url } = await create({ pipeline: 'acme/other/build', scope: 'acme/other/staging' })
    assert.equal((await house.call('DELETE', url, undefined, { headers: editor.headers })).status, 204)
    assert.equal((await house.call('DELETE', `${PATH}/${randomUUID()}`)).status, 404)
  })

  test('a name is free again', async () => {
    const { url, body } = await create({ pipeline: PIPELINE })
    await house.call('DELETE', url)
    const again = await house.call('POST', PATH, aSchedule({ name: body['name'] }))
    assert.equal(again.status, 201, again.text)
  })
})
