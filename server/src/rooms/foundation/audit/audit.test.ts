import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import {
  createTestClock,
  createTestDatabase,
  createTestHttp,
  createTestKit,
  testAuthenticator,
  testCaller,
} from '#platform/testing'
import { audit as auditRoom } from './index.ts'
import { listAudit } from './store.ts'
import { anEntry, anOrigin } from './testing.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const clock = createTestClock()
const { door: audit, routes = [] } = await auditRoom.open(createTestKit(database, { clock }), {})
const callers = {
  admin: testCaller(),
  owner: testCaller({ acme: ['audit.read'] }),
  viewer: testCaller({ acme: ['run.read'] }),
}
const http = await createTestHttp(routes, testAuthenticator(callers))
after(() => http.app.close())

const list = async (as: keyof typeof callers, query = '') => {
  const reply = await http.app.inject({ url: `/v1/audit${query}`, headers: { authorization: `Bearer ${as}` } })
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json()
}
const ids = async (as: keyof typeof callers, query = '') =>
  (await list(as, query)).map((record: { resource: { id: string } }) => record.resource.id)

describe('audit records', () => {
  test('say who did what, when and from where, before and after', async () => {
    await audit.record(db, anEntry({ before: { name: 'a' }, after: { name: 'b' } }))
    const [record] = await list('admin')
    assert.equal(record.occurred_at, clock.now().toISOString())
    assert.deepEqual(record.actor, { kind: 'user', id: anOrigin.caller.id, name: 'tester' })
    assert.equal(record.action, 'thing.created')
    assert.equal(record.address, '127.0.0.1')
    assert.equal(record.request_id, 'a-request')
    assert.deepEqual(record.before, { name: 'a' })
    assert.deepEqual(record.after, { name: 'b' })
  })

  test('are there if and only if the write that they describe is', async () => {
    const failing = database.transaction(async (tx) => {
      await audit.record(tx, anEntry({ resource: { kind: 'thing', id: 'undone' } }))
      throw new Error('undone')
    })
    await assert.rejects(failing)
    assert.deepEqual(await ids('admin', '?resource=thing:undone'), [])
  })

  test('are read by those who may read the audit of the team; the platform is for those who may everywhere', async () => {
    const at = (teamPath: string, id: string) => audit.record(db, anEntry({ teamPath, resource: { kind: 'team', id } }))
    await at('acme/web', 'below')
    await at('acme-labs', 'beside')
    await at('/', 'platform')
    assert.deepEqual(await ids('owner', '?resource=team'), ['below'])
    assert.deepEqual(await ids('admin', '?resource=team'), ['platform', 'beside', 'below'])
    assert.deepEqual(await ids('viewer'), [])
  })

  test('since an instant are found without a look at older ones, which are never deleted', async () => {
    const old = 20_000
    await sql`
      insert into audit_records (id, occurred_at, actor_kind, actor_id, actor_name, action, resource_kind, resource_id,
        team_path, address, request_id)
      select (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid, 'epoch', 'user', 'old', 'old', 'thing.created',
        'thing', n, '/', '127.0.0.1', 'old'
      from generate_series(1, ${old}::int) as n`.execute(db)
    await sql`analyze audit_records`.execute(db)
    const since = clock.now()
    await audit.record(db, anEntry({ resource: { kind: 'thing', id: 'new' } }))
    const looked = await database.transaction(async (tx) => {
      const filter = { prefixes: ['/'], resourceKind: undefined, resourceId: undefined, actorId: undefined, since }
      await listAudit(tx, { ...filter, before: undefined, limit: 100 })
      const { rows } = await sql<{ looked: number }>`
        select pg_stat_get_xact_tuples_returned('audit_records'::regclass) + pg_stat_get_xact_tuples_fetched('audit_records'::regclass)
          + (select sum(pg_stat_get_xact_tuples_fetched(indexrelid)) from pg_index where indrelid = 'audit_records'::regclass)
          as looked`.execute(tx)
      return Number(rows[0]?.looked)
    })
    assert.ok(looked < 1000, `${looked} rows of ${old}`)
  })

  test('are filtered by resource, subject and time, newest first, in pages', async () => {
    await clock.advance(60_000)
    const since = clock.now().toISOString()
    const other = { ...anOrigin, caller: testCaller({}, { id: 'robot' }) }
    for (const id of ['1', '2', '3']) await audit.record(db, anEntry({ origin: other, resource: { kind: 'run', id } }))
    assert.deepEqual(await ids('admin', '?subject=robot'), ['3', '2', '1'])
    assert.deepEqual(await ids('admin', '?resource=run:2'), ['2'])
    assert.deepEqual(await ids('admin', `?since=${since}`), ['3', '2', '1'])
    const reply = await http.app.inject({
      url: '/v1/audit?subject=robot&limit=2',
      headers: { authorization: 'Bearer admin' },
    })
    const next = /\?(.+)>; rel="next"/.exec(String(reply.headers.link))?.[1]
    assert.deepEqual(await ids('admin', `?${next}`), ['1'])
  })

  test('are filtered by token, by action or its beginning, and by tool and client', async () => {
    const token = '01900000-0000-7000-8000-0000000000aa'
    const agent = { ...anOrigin, caller: { ...testCaller({}, { id: 'agent' }), token: { id: token, name: 'agent' } } }
    const act = (id: string, action: string) =>
      audit.record(db, anEntry({ origin: agent, action, resource: { kind: 'run', id } }))
    await act('r1', 'run.started')
    await act('r2', 'run.canceled')
    const called = (tool: string, client: string) =>
      audit.record(
        db,
        anEntry({ origin: agent, action: 'tool.called', resource: { kind: 'tool', id: tool }, after: { client } }),
      )
    await called('list_runs', 'claude-code')
    await called('get_run', 'codex')
    assert.deepEqual(await ids('admin', `?token=${token}`), ['get_run', 'list_runs', 'r2', 'r1'])
    assert.equal((await list('admin', `?token=${token}&limit=1`))[0].token_id, token)
    assert.deepEqual(await ids('admin', '?action=run.started&subject=agent'), ['r1'])
    assert.deepEqual(await ids('admin', '?action=run.*'), ['r2', 'r1'])
    assert.deepEqual(await ids('admin', '?tool=list_runs'), ['list_runs'])
    assert.deepEqual(await ids('admin', '?client=codex'), ['get_run'])
    assert.deepEqual(await ids('admin', '?tool=list_runs&client=codex'), [])
    assert.deepEqual(await ids('viewer', `?token=${token}`), [])
    assert.equal((await list('admin', '?resource=thing:one'))[0].token_id, null)
  })

  test('of one resource are looked through by some actions, however many others there are', async () => {
    const resource = { kind: 'thing', id: 'busy' }
    const act = (action: string, state: object) => audit.record(db, anEntry({ action, resource, after: state }))
    await act('thing.created', { n: 1 })
    await act('thing.updated', { n: 2 })
    for (let n = 3; n < 6; n += 1) await act('thing.run', { n })
    await audit.record(db, anEntry({ action: 'thing.updated', resource: { kind: 'thing', id: 'other' } }))
    const afters = async (actions?: readonly string[]) =>
      (await audit.listChanges(db, { ...resource, ...(actions && { actions }) }, 2)).map((change) => change.after)
    assert.deepEqual(await afters(['thing.created', 'thing.updated']), [{ n: 2 }, { n: 1 }])
    assert.deepEqual(await afters(), [{ n: 5 }, { n: 4 }])
  })

  test('odd filters are 400 or find nothing, never 500', async () => {
    for (const query of [
      'token=x',
      'action=Run*',
      'action=*',
      'tool=a&resource=b',
      'since=yesterday',
      'limit=0',
      'limit=x',
      'cursor=%00',
      'colour=red',
    ]) {
      const reply = await http.app.inject({ url: `/v1/audit?${query}`, headers: { authorization: 'Bearer admin' } })
      assert.equal(reply.statusCode, 400, query)
    }
    for (const query of ['resource=%00', 'subject=%00', 'resource=:', "resource='", 'since=0001-01-01T00:00:00Z']) {
      const reply = await http.app.inject({ url: `/v1/audit?${query}`, headers: { authorization: 'Bearer admin' } })
      assert.ok(reply.statusCode < 500, `${query}: ${reply.body}`)
    }
  })
})
