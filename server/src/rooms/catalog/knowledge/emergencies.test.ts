import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestDatabase, until } from '#platform/testing'
import { aMember } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { openKnowledge } from './testing.ts'

const testDatabase = await createTestDatabase()
const house = await openKnowledge(testDatabase)
after(() => house.close())
const { call, db } = house
await anEnvironment(db, 'acme/ops/production')
await anEnvironment(db, 'other/test')
const owner = (await aMember(db, 'olga', 'owner', 'acme/web')).headers
const editor = (await aMember(db, 'ed', 'editor', 'acme/web')).headers
const viewer = (await aMember(db, 'vera', 'viewer', 'acme/web')).headers
const stranger = (await aMember(db, 'sam', 'owner', 'other')).headers

const declare = (scope: string, headers?: Readonly<Record<string, string>>) =>
  call('POST', '/v1/emergencies', { scope, reason: 'The registry leaks.' }, headers)
const lift = (id: unknown, body?: unknown, headers?: Readonly<Record<string, string>>) =>
  call('POST', `/v1/emergencies/${id}/lift`, body, headers)
const stopped = async (scope: string) => (await house.knowledge.snapshot()).emergencyOn(scope)?.reason

describe('an emergency', () => {
  test('holds from its declaration until it is lifted', async () => {
    assert.equal(await stopped('acme/web/production'), undefined)
    const declared = await declare('acme/web/**', owner)
    assert.equal(declared.status, 201, declared.text)
    assert.equal(declared.headers.location, `/v1/emergencies/${declared.body['id']}`)
    assert.deepEqual(
      ['scope', 'team_path', 'reason', 'active', 'lifted_at', 'lifted_by'].map((field) => declared.body[field]),
      ['acme/web/**', 'acme/web', 'The registry leaks.', true, null, null],
    )
    assert.equal(await stopped('acme/web/production'), 'The registry leaks.', 'this process sees it at once')
    assert.equal(await stopped('acme/ops/production'), undefined)
    const shown = await call('GET', `/v1/emergencies/${declared.body['id']}`, undefined, viewer)
    assert.deepEqual([shown.status, shown.body], [200, declared.body])

    const lifted = await lift(declared.body['id'], { reason: 'Keys are changed.' }, owner)
    assert.deepEqual(
      [lifted.status, lifted.body['active'], lifted.body['lift_reason'], Object(lifted.body['lifted_by']).name],
      [200, false, 'Keys are changed.', 'olga'],
      lifted.text,
    )
    assert.equal(await stopped('acme/web/production'), undefined)
    const again = await lift(declared.body['id'], undefined, owner)
    assert.deepEqual([again.status, again.body['code']], [409, 'emergency.lifted'])
  })

  test('is told as facts and audited, and dispatchers are woken', async () => {
    let woken = 0
    const stop = house.kit.database.notifications.listen('emergencies_changed', () => {
      woken += 1
    })
    await house.kit.database.notifications.ready()
    const quiet = woken
    const { body } = await declare('acme/web/production')
    await until(
      'the declaration',
      () => woken,
      (count) => count > quiet,
    )
    const between = woken
    await lift(body['id'])
    await until(
      'the lifting',
      () => woken,
      (count) => count > between,
    )
    stop()
    const facts = await db.selectFrom('facts').select(['kind', 'version', 'payload']).orderBy('id').execute()
    const by = { kind: 'user', name: 'root' }
    assert.deepEqual(
      facts
        .filter(({ payload }) => Object(payload).id === body['id'])
        .map(({ kind, version, payload }) => {
          const { id: _, ...actor } = Object(payload).by
          return [kind, version, Object(payload).scope, Object(payload).reason, actor]
        }),
      [
        ['emergency.declared', 1, 'acme/web/production', 'The registry leaks.', by],
        ['emergency.lifted', 1, 'acme/web/production', null, by],
      ],
    )
    const records = await db
      .selectFrom('audit_records')
      .select(['action', 'team_path', 'before', 'after'])
      .where('resource_id', '=', String(body['id']))
      .orderBy('id')
      .execute()
    assert.deepEqual(
      records.map((record) => [
        record.action,
        record.team_path,
        Object(record.before).active,
        Object(record.after).active,
      ]),
      [
        ['emergency.declared', 'acme/web', undefined, true],
        ['emergency.lifted', 'acme/web', true, false],
      ],
    )
  })

  test('changes no item and no revision', async () => {
    const wish = { team_path: 'acme/web', name: 'kept', kind: 'policy', rule: 'true', message: 'x' }
    const { body } = await call('POST', '/v1/knowledge', wish)
    const emergency = await declare('acme/**')
    assert.deepEqual((await call('GET', `/v1/knowledge/${body['id']}`)).body, body)
    await lift(emergency.body['id'])
  })
})

describe('who may declare one', () => {
  for (const [scope, who, status] of [
    ['acme/web/**', owner, 201],
    ['acme/web/production', owner, 201],
    ['acme/web/**', editor, 403],
    ['acme/web/**', viewer, 403],
    ['acme/**', owner, 403],
    ['acme/we*/production', owner, 403],
    ['**', owner, 403],
    ['{acme,other}/**', owner, 403],
    ['acme/**', undefined, 201],
    ['**', undefined, 201],
  ] as const) {
    const name = who === owner ? 'an owner of acme/web' : who === undefined ? 'an administrator' : 'another member'
    test(`${name} declares ${scope}: ${status}`, async () => {
      const { body, status: answered, text } = await declare(scope, who)
      assert.equal(answered, status, text)
      if (answered === 201) assert.equal((await lift(body['id'])).status, 200)
    })
  }

  test('who may lift one: who may declare it', async () => {
    const { body } = await declare('acme/**')
    assert.equal((await lift(body['id'], undefined, owner)).status, 403)
    assert.equal((await lift(body['id'], undefined, stranger)).status, 404)
    assert.equal((await lift('01900000-0000-7000-8000-000000000000')).status, 404)
    assert.equal((await lift(body['id'])).status, 200)
  })

  test('401 without a token', async () => {
    assert.equal((await declare('acme/**', { authorization: '' })).status, 401)
  })
})

describe('400', () => {
  for (const [scope, message] of [
    ['acme/web', /there is no scope acme\/web: .*acme\/web\/\*\* for a team/],
    ['acme', /names no scope: write acme\/\*\*/],
    ['acme/web/[', /scope/],
    ['!acme/**', /leave the "!" out/],
  ] as const) {
    test(`the pattern ${scope}`, async () => {
      const { status, body, text } = await declare(scope)
      assert.deepEqual([status, body['code']], [400, 'emergency.invalid'], text)
      assert.match(String(body['detail']), message)
    })
  }

  test('a team that does not exist', async () => {
    assert.equal((await declare('nobody/**')).status, 400)
  })

  test('no reason', async () => {
    for (const reason of [undefined, '', '  ']) {
      assert.equal((await call('POST', '/v1/emergencies', { scope: 'acme/**', reason })).status, 400)
    }
  })
})

test('lists: newest first, active or lifted, those above too, page by page', async () => {
  const first = await declare('acme/**')
  const second = await declare('acme/web/staging')
  await declare('other/**', stranger)
  const list = async (query: string, headers = viewer) => {
    const { body } = await call('GET', `/v1/emergencies?${query}`, undefined, headers)
    return Array.isArray(body) ? body.map((each) => each.id) : []
  }
  assert.deepEqual(await list('active=true'), [second.body['id'], first.body['id']])
  const page = await call('GET', '/v1/emergencies?active=true&limit=1', undefined, viewer)
  const next = /<([^>]+)>/.exec(String(page.headers['link']))?.[1] ?? ''
  assert.equal((await call('GET', next, undefined, viewer)).body[0]?.['id'], first.body['id'])
  await lift(second.body['id'])
  assert.deepEqual(await list('active=true'), [first.body['id']])
  assert.equal((await list('active=false'))[0], second.body['id'])
  assert.equal((await list('active=true', stranger)).length, 1)
  assert.equal((await call('GET', `/v1/emergencies/${first.body['id']}`, undefined, stranger)).status, 404)
})
