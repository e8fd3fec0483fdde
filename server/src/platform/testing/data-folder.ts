import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate, startEmbedded } from '#platform/database'
import { migrateJobs } from '#platform/jobs'
import { createLog } from '#platform/log'
import { systemClock } from '#platform/time'

/**
 * A data folder whose database is made and migrated, to copy instead of making another: `cp -a`, as it belongs to
 * PostgreSQL's account. The server of a copy does not wait for the disk: tests never kill the system.
 */
export async function makeDataFolder(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-test-data-'))
  chmodSync(dataDir, 0o711)
  const log = createLog({ level: 'silent', pretty: false })
  const server = await startEmbedded({ dataDir, log, clock: systemClock })
  try {
    await migrate(server.url)
    await migrateJobs(server.url, log)
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query('alter system set fsync = off')
    await client.query('alter system set full_page_writes = off')
    await client.end()
  } finally {
    await server.stop()
  }
  return dataDir
}
