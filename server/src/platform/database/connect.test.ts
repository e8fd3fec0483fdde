import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createLog } from '#platform/log'
import { systemClock } from '#platform/time'
import { connectToStart, judgeStanding } from './connect.ts'
import { DatabaseRefused, type EmbeddedServer, mayPass, startEmbedded } from './embedded/index.ts'

const log = createLog({ level: 'silent', pretty: false })
const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-connect-'))
const PASSWORD = 'hunter22'
let server: EmbeddedServer

/** The access rules for each client, as an operator writes them. */
const HBA = `local all signalbox trust
local all barred reject
local all all scram-sha-256
`

before(async () => {
  chmodSync(dataDir, 0o711)
  writeFileSync(join(dataDir, 'pg_hba.conf'), HBA, { mode: 0o644 })
  const settings = { fsync: 'off', hba_file: join(dataDir, 'pg_hba.conf') }
  server = await startEmbedded({ dataDir, log, clock: systemClock, settings })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query(`create role guest login password '${PASSWORD}'; create role barred login`)
  await client.end()
})
after(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The address of the server with some of it changed. */
function address(change: { user?: string; password?: string; database?: string; query?: string }): string {
  const url = new URL(server.url)
  if (change.user !== undefined) url.username = change.user
  if (change.password !== undefined) url.password = change.password
  if (change.database !== undefined) url.pathname = change.database
  return `${url.href}${change.query ?? ''}`
}

async function refusal(url: string): Promise<DatabaseRefused> {
  const error = await connectToStart(url, 'test').then(
    (client) => client.end(),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof DatabaseRefused, String(error))
  assert.doesNotMatch(error.message, new RegExp(PASSWORD))
  assert.doesNotMatch(error.message, /\n/)
  return error
}

describe('a database that cannot be used', () => {
  test('because nothing listens there: a later start may succeed by itself', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => closed.once('listening', resolve))
    const place = closed.address()
    const port = typeof place === 'object' && place ? place.port : 0
    await new Promise((resolve) => closed.close(resolve))
    const error = await refusal(`postgres://ada:${PASSWORD}@127.0.0.1:${port}/signalbox`)
    assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${port}, database signalbox .* nothing listens there`))
    assert.equal(mayPass(error), true)
  })

  const cases: readonly (readonly [string, () => string, RegExp])[] = [
    ['the host is not known', () => `postgres://ada:${PASSWORD}@nowhere.invalid/x`, /name of the host is not known/],
    ['the address is none', () => `postgres://ada:${PASSWORD}@[::/x`, /is no address of a database/],
    ['the password is wrong', () => address({ user: 'guest', password: 'wrong' }), /user or the password/],
    ['there is no password', () => address({ user: 'guest' }), /user or the password/],
    ['there is no such database', () => address({ database: 'nosuch' }), /there is no such database/],
    ['the server lets the user not in', () => address({ user: 'barred' }), /pg_hba\.conf/],
    ['the server speaks no TLS', () => address({ query: '&sslmode=verify-full' }), /it speaks no TLS/],
    ['the role may make no tables', () => address({ user: 'guest', password: PASSWORD }), /guest may not make tables/],
  ]
  for (const [why, url, sentence] of cases) {
    test(`because ${why}`, async () => {
      const error = await refusal(url())
      assert.match(error.message, sentence)
    })
  }

  test('because something else listens there, which never answers or hangs up', async () => {
    const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const place = other.address()
    const port = typeof place === 'object' && place ? place.port : 0
    const error = await refusal(`postgres://ada@127.0.0.1:${port}/x`)
    other.close()
    assert.match(error.message, /no answer came/)
  })

  test('because it is too old, or a standby', () => {
    const standing = { version: '180004', is_standby: false, may_create: true, role: 'ada', schema: 'public' }
    assert.equal(judgeStanding(standing, 'db'), undefined)
    assert.match(
      judgeStanding({ ...standing, version: '170010' }, 'db')?.message ?? '',
      /is PostgreSQL 17\. .* 18 or newer/,
    )
    assert.match(judgeStanding({ ...standing, is_standby: true }, 'db')?.message ?? '', /is a standby/)
  })
})
