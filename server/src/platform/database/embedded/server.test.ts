import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createLog } from '#platform/log'
import { until } from '#platform/testing'
import { type Clock, systemClock } from '#platform/time'
import { type EmbeddedServer, startEmbedded } from './server.ts'

const log = createLog({ level: 'silent', pretty: false })

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end().catch(() => undefined)
  }
}

describe('the embedded PostgreSQL', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-embedded-'))
  let server: EmbeddedServer
  let mayStartAgain = true
  before(async () => {
    chmodSync(dataDir, 0o711)
    const clock: Clock = {
      ...systemClock,
      after: (ms, work) => systemClock.after(ms, () => void (mayStartAgain && work())),
    }
    server = await startEmbedded({ dataDir, log, clock })
  })
  after(async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('listens on no TCP port and keeps its folder to itself', async () => {
    const { rows } = await query(
      server.url,
      "select current_setting('listen_addresses') as addresses, current_setting('data_directory_mode') as mode",
    )
    assert.deepEqual(rows, [{ addresses: '', mode: '0700' }])
  })

  test('is started again when it is killed, with every committed row', async () => {
    await query(server.url, 'create table kept (id int); insert into kept values (1)')
    const killed = server.pid ?? 0
    process.kill(killed, 'SIGKILL')
    const rows = await until(
      'the server to answer again',
      () =>
        query(server.url, 'select id from kept').then(
          (result) => result.rows,
          () => [],
        ),
      (found) => found.length === 1,
    )
    assert.deepEqual(rows, [{ id: 1 }])
    assert.notEqual(server.pid, killed)
  })

  test('a start on the folder of a server that was left behind takes over and loses nothing', async () => {
    // As if it had been killed: the starter of a server otherwise starts it again, and the two would race.
    mayStartAgain = false
    const second = await startEmbedded({ dataDir, log, clock: systemClock })
    const { rows } = await query(second.url, 'select id from kept')
    assert.deepEqual(rows, [{ id: 1 }])
    await second.stop()
    assert.equal(existsSync(join(dataDir, 'postgres', 'PG_VERSION')), true)
  })
})
