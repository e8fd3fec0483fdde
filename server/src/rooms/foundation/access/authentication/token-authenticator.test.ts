import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { createToken } from '#platform/crypto'
import { createTestClock, createTestDatabase, createTestKit, until } from '#platform/testing'
import { aTeam } from '#rooms/foundation/teams/testing'
import { aGrant, aMember, aServiceAccount, aToken, aUser, openFoundation } from '../testing.ts'

const ADDRESS = '127.0.0.1'
const CONFIGURED = 'a-bootstrap-token-of-24-characters'

const { database } = await createTestDatabase()
const db = database.kysely
const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-access-'))
const clock = createTestClock()
const kit = createTestKit(database, { clock, env: { DATA_DIR: dataDir } })
const house = await openFoundation(kit)
const { authenticator } = house.access
const bearer = (authorization: string) => ({ kind: 'bearer', authorization }) as const
const authenticate = (token: string) => authenticator.authenticate(bearer(`Bearer ${token}`), ADDRESS)
await aTeam(db, 'acme/web')
after(async () => {
  await house.close()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('tokens of users and service accounts', () => {
  test('a valid token is its owner, with the grants of that owner', async () => {
    const member = await aMember(db, 'ada', 'operator', 'acme/web')
    const caller = await authenticate(member.token)
    assert.equal(caller?.kind, 'user')
    assert.equal(caller?.id, member.id)
    assert.equal(caller?.name, 'ada')
    assert.equal(caller?.can('run.start', 'acme/web'), true)
    assert.equal(caller?.can('run.start', 'acme'), false)
    const account = await aServiceAccount(db, 'acme', 'ci')
    await aGrant(db, `service_account:${account}`, 'viewer', 'acme')
    const robot = await authenticate((await aToken(db, { kind: 'service_account', id: account })).token)
    assert.equal(robot?.name, 'acme/ci')
    assert.deepEqual(robot?.prefixes('run.read'), ['acme'])
  })

  test('no token, another scheme, a malformed or an unknown one is nobody', async () => {
    assert.equal(await authenticator.authenticate({ kind: 'session', secret: 'x'.repeat(43) }, ADDRESS), undefined)
    for (const header of ['', 'Bearer', 'Bearer ', 'Basic YTpi', `Bearer ${createToken('user').token} x`]) {
      assert.equal(await authenticator.authenticate(bearer(header), ADDRESS), undefined)
    }
    for (const kind of ['user', 'service_account', 'runner', 'bootstrap'] as const) {
      assert.equal(await authenticate(createToken(kind).token), undefined)
    }
  })

  test('a token works until it expires and not a moment longer', async () => {
    const id = await aUser(db, 'brief')
    const { token } = await aToken(db, { kind: 'user', id }, new Date(clock.now().getTime() + 60_000))
    assert.ok(await authenticate(token))
    await clock.advance(60_000)
    assert.equal(await authenticate(token), undefined)
  })

  test('a revoked token, and a token of a disabled or deleted owner, stops working at once', async () => {
    const member = await aMember(db, 'bob', 'viewer', 'acme')
    const spare = await aToken(db, { kind: 'user', id: member.id })
    assert.ok(await authenticate(spare.token))
    await database.notifications.ready()
    await db.updateTable('tokens').set({ revoked_at: clock.now() }).where('id', '=', spare.id).execute()
    await until(
      'the revocation',
      () => authenticate(spare.token),
      (caller) => caller === undefined,
    )
    assert.ok(await authenticate(member.token))
    await db.updateTable('users').set({ disabled_at: clock.now() }).where('id', '=', member.id).execute()
    await until(
      'the disabling',
      () => authenticate(member.token),
      (caller) => caller === undefined,
    )
    const gone = await aMember(db, 'carl', 'viewer', 'acme')
    assert.ok(await authenticate(gone.token))
    await db.deleteFrom('users').where('id', '=', gone.id).execute()
    await until(
      'the deletion',
      () => authenticate(gone.token),
      (caller) => caller === undefined,
    )
  })

  test('the last use is noted, at most once a minute', async () => {
    const id = await aUser(db, 'dora')
    const made = await aToken(db, { kind: 'user', id })
    const lastUse = async () =>
      (await db.selectFrom('tokens').select('last_used_at').where('id', '=', made.id).executeTakeFirstOrThrow())
        .last_used_at
    const first = clock.now()
    await authenticate(made.token)
    await until('the first use', lastUse, (at) => at?.getTime() === first.getTime())
    await clock.advance(59_000)
    await authenticate(made.token)
    await house.close()
    assert.deepEqual(await lastUse(), first)
    await clock.advance(1000)
    await authenticate(made.token)
    await until('the second use', lastUse, (at) => at?.getTime() === first.getTime() + 60_000)
  })

  test('an address that sends many invalid tokens is told to wait, and a valid one still passes', async () => {
    const member = await aMember(db, 'erin', 'viewer', 'acme')
    const attempt = () => authenticator.authenticate(bearer('Bearer nonsense'), '192.0.2.7')
    for (let i = 0; i < 30; i++) assert.equal(await attempt(), undefined)
    await assert.rejects(attempt, { code: 'rate_limited', status: 429 })
    assert.ok(await authenticator.authenticate(bearer(`Bearer ${member.token}`), '192.0.2.7'))
    assert.equal(await authenticator.authenticate(bearer('Bearer nonsense'), '192.0.2.8'), undefined)
  })
})

describe('the bootstrap token', () => {
  test('is made in the data folder, readable by its owner alone, and is an administrator', async () => {
    const path = await house.access.prepareBootstrap()
    assert.equal(path, join(dataDir, 'bootstrap-token'))
    assert.equal(statSync(path ?? '').mode & 0o777, 0o600)
    const token = readFileSync(path ?? '', 'utf8').trim()
    assert.match(token, /^sbxb_/)
    const caller = await authenticate(token)
    assert.equal(caller?.kind, 'bootstrap')
    assert.equal(caller?.can('setting.write', '/'), true)
    assert.equal(await house.access.prepareBootstrap(), path)
    assert.equal(readFileSync(path ?? '', 'utf8').trim(), token, 'a second start keeps it')
  })

  test('a configured one needs no form of ours, and setup counts as done with it', async () => {
    const configured = await openFoundation(
      createTestKit(database, { clock, env: { BOOTSTRAP_ADMIN_TOKEN: CONFIGURED } }),
    )
    const caller = await configured.access.authenticator.authenticate(bearer(`Bearer ${CONFIGURED}`), ADDRESS)
    assert.equal(caller?.kind, 'bootstrap')
    assert.equal(await configured.access.prepareBootstrap(), undefined)
    assert.equal(await configured.access.authenticator.isSetupLocked(), false)
    assert.equal(await authenticator.isSetupLocked(), true)
    await configured.close()
  })

  test('one that lies in the data folder already needs no form of ours either, also after a move to another database', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-access-'))
    writeFileSync(join(folder, 'bootstrap-token'), `${CONFIGURED}\n`, { mode: 0o600 })
    const moved = await openFoundation(createTestKit(database, { clock, env: { DATA_DIR: folder } }))
    const caller = await moved.access.authenticator.authenticate(bearer(`Bearer ${CONFIGURED}`), ADDRESS)
    assert.equal(caller?.kind, 'bootstrap')
    assert.equal(await moved.access.authenticator.isSetupLocked(), true)
    await moved.close()
    rmSync(folder, { recursive: true })
  })

  test('a revoked one is nobody', async () => {
    const token = readFileSync(join(dataDir, 'bootstrap-token'), 'utf8').trim()
    await db
      .updateTable('access_revision')
      .set((eb) => ({ bootstrap_revoked_at: clock.now(), revision: eb('revision', '+', 1) }))
      .execute()
    await clock.advance(5001)
    assert.equal(await authenticate(token), undefined)
    assert.equal(await house.access.subject('bootstrap', 'bootstrap'), undefined)
  })
})
