import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { createSealer } from '#platform/crypto'
import type { Probe } from '#platform/room'
import { createTestDatabase, createTestHttp, createTestKit, startOutage, until } from '#platform/testing'
import { aMember, openFoundation } from '#rooms/foundation/access/testing'
import { aSecret } from '#rooms/foundation/secrets/testing'
import { setup } from './index.ts'

const { database, url } = await createTestDatabase()
const db = database.kysely
const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-setup-'))
const kit = createTestKit(database, { env: { DATA_DIR: dataDir } })
const house = await openFoundation(kit)
/** Why there is no room; undefined: there is. */
let shortage: string | undefined
const disk: Probe = {
  name: 'disk',
  check: async () => {
    if (shortage !== undefined) throw new Error(shortage)
  },
  blocker: { code: 'disk_full', remedy: 'Make room.' },
}
const parts = await setup.open(kit, { ...house, probes: [disk] })
const http = await createTestHttp([...house.routes, ...(parts.routes ?? [])], house.access.authenticator)
const bootstrap = readFileSync((await house.access.prepareBootstrap()) ?? '', 'utf8').trim()
after(async () => {
  await http.app.close()
  await house.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const send = (token: string, method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
  const options: InjectOptions = { method, url: path, headers: { authorization: `Bearer ${token}` } }
  return http.app.inject(body ? { ...options, payload: body } : options)
}
const preflight = async () => {
  const reply = await http.app.inject('/v1/setup/preflight')
  assert.equal(reply.statusCode, 200)
  return reply.json()
}
const codes = async () => (await preflight()).blockers.map((blocker: { code: string }) => blocker.code)

test('the document of the API names what making the administrator may answer, the codes of access included', () => {
  const named = parts.problems?.flatMap(({ table }) => Object.keys(table)) ?? []
  for (const code of ['setup.bootstrap_required', 'access.administrator_exists', 'user.login_taken']) {
    assert.ok(named.includes(code), code)
  }
})

describe('a fresh installation', () => {
  test('says what is missing and what to do, to everybody', async () => {
    const answer = await preflight()
    assert.equal(answer.ready, false)
    assert.equal(answer.blockers[0].code, 'administrator_missing')
    assert.match(answer.blockers[0].remedy, /bootstrap/)
  })

  test('is locked for everybody but the bootstrap token', async () => {
    const early = await aMember(db, 'early', 'owner', '/')
    const locked = await send(early.token, 'GET', '/v1/teams')
    assert.equal(locked.statusCode, 403)
    assert.equal(locked.json().code, 'setup_locked')
    assert.equal((await send(early.token, 'GET', '/v1/auth/me')).statusCode, 200, 'who they are, they may know')
    const refused = await send(early.token, 'POST', '/v1/setup/administrator', { login: 'me', token_name: 't' })
    assert.equal(refused.json().code, 'setup.bootstrap_required')
    assert.equal((await send(bootstrap, 'GET', '/v1/teams')).statusCode, 200)
  })
})

describe('the first administrator', () => {
  test('needs something to sign in by', async () => {
    const none = await send(bootstrap, 'POST', '/v1/setup/administrator', { login: 'ada' })
    assert.equal(none.statusCode, 400)
    assert.equal(none.json().code, 'setup.credential_missing')
    const weak = await send(bootstrap, 'POST', '/v1/setup/administrator', { login: 'ada', password: 'short' })
    assert.equal(weak.json().errors[0].field, 'password')
    assert.equal(
      (await http.app.inject({ method: 'POST', url: '/v1/setup/administrator', payload: {} })).statusCode,
      401,
    )
  })

  test('is made once, by whoever of ten comes first, and unlocks the setup', async () => {
    const body = { password: 'correct horse battery', token_name: 'first' }
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        send(bootstrap, 'POST', '/v1/setup/administrator', { ...body, login: `a${n}` }),
      ),
    )
    const made = replies.filter((reply) => reply.statusCode === 201)
    assert.equal(made.length, 1)
    for (const reply of replies) {
      if (reply.statusCode !== 201) assert.equal(reply.json().code, 'access.administrator_exists')
    }
    assert.deepEqual(await preflight(), { ready: true, blockers: [] })
    const { token, user, advice } = made[0]?.json() ?? {}
    assert.deepEqual([advice[0].code, advice[0].remedy.includes('revoke-bootstrap')], ['bootstrap_token_valid', true])
    const me = (await send(token, 'GET', '/v1/auth/me')).json()
    assert.equal(me.capabilities.administrator, true)
    const verified = await house.access.verifyPassword(user.login, body.password, '192.0.2.1')
    assert.equal(verified?.userId, user.id)
    assert.equal((await send(token, 'GET', '/v1/teams')).statusCode, 200)
    const [record] = (await send(token, 'GET', '/v1/audit?limit=1')).json()
    assert.deepEqual([record.action, record.resource.id], ['administrator.created', user.id])
    assert.equal(record.after.has_token, true)
    const another = await send(token, 'POST', '/v1/setup/administrator', { ...body, login: 'another' })
    assert.equal(another.json().code, 'setup.bootstrap_required', 'an administrator does not make the first one')
    const state = async () => (await send(token, 'GET', '/v1/auth/bootstrap')).json()
    assert.deepEqual(await state(), { valid: true, configured: false, administrator_exists: true })
    assert.equal((await send(bootstrap, 'DELETE', '/v1/auth/bootstrap')).statusCode, 403)
    assert.equal((await send(token, 'DELETE', '/v1/auth/bootstrap')).statusCode, 204)
    assert.equal((await state()).valid, false)
    const viewer = await aMember(db, 'viewer', 'viewer', '/')
    assert.equal((await send(viewer.token, 'GET', '/v1/auth/bootstrap')).statusCode, 403)
    assert.equal((await send(bootstrap, 'GET', '/v1/auth/me')).statusCode, 401)
    assert.equal(await house.access.prepareBootstrap(), undefined)
    assert.throws(() => readFileSync(join(dataDir, 'bootstrap-token')), { code: 'ENOENT' })
  })

  test('ends the bootstrap token for every process and start: a file that was left is taken away, a configured one is refused', async () => {
    const path = join(dataDir, 'bootstrap-token')
    writeFileSync(path, `${bootstrap}\n`)
    const later = await openFoundation(createTestKit(database, { env: { DATA_DIR: dataDir } }))
    assert.equal(await later.access.prepareBootstrap(), undefined)
    assert.equal(existsSync(path), false)
    await later.close()
    const env = { DATA_DIR: dataDir, BOOTSTRAP_ADMIN_TOKEN: bootstrap }
    const configured = await openFoundation(createTestKit(database, { env }))
    const sent = { kind: 'bearer', authorization: `Bearer ${bootstrap}` } as const
    assert.equal(await configured.access.authenticator.authenticate(sent, '192.0.2.1'), undefined)
    await configured.close()
  })
})

describe('later', () => {
  test('a secret_key that is not the one it was is a blocker', async () => {
    await db
      .insertInto('teams')
      .values({ id: kit.ids.next(), path: 'acme', name: 'acme', created_at: new Date(), updated_at: new Date() })
      .execute()
    await aSecret({ ...kit, sealer: createSealer(new Map([[1, Buffer.alloc(32, 5)]])) }, db, {
      teamPath: 'acme',
      name: 'npm',
      value: 'x',
    })
    assert.deepEqual(await codes(), ['secret_key_wrong'])
    await db.deleteFrom('secrets').execute()
  })

  test('a full disk is a blocker, beside a database that is down because of it', async () => {
    shortage = 'The disk of the database has 0 MiB left.'
    const outage = await startOutage(url)
    try {
      const [first, second] = (await preflight()).blockers
      assert.deepEqual(first, { code: 'disk_full', message: shortage, remedy: 'Make room.' })
      assert.equal(second.code, 'database_unreachable')
    } finally {
      shortage = undefined
      await outage.end()
    }
    await until('the database to be back', preflight, (answer) => answer.ready)
  })

  test('preflight answers with the database down', async () => {
    const outage = await startOutage(url)
    try {
      assert.deepEqual(await codes(), ['database_unreachable'])
    } finally {
      await outage.end()
    }
    await until('the database to be back', preflight, (answer) => answer.ready)
  })
})
