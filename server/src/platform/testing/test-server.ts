import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate, startEmbedded } from '#platform/database'
import { migrateJobs } from '#platform/jobs'
import { createLog } from '#platform/log'
import { systemClock } from '#platform/time'

/** Name of the environment variable by which the test runner tells the test files where the one server is. */
export const TEST_SERVER_VARIABLE = 'SIGNALBOX_TEST_DATABASE'
export const TEMPLATE = 'signalbox_template'

/** A real PostgreSQL for a test run: fast because it need not survive a power cut (`fsync=off`). */
export async function startTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-test-'))
  chmodSync(dataDir, 0o711)
  const log = createLog({ level: 'silent', pretty: false })
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }
  const server = await startEmbedded({ dataDir, log, clock: systemClock, settings })
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  const template = databaseUrl(server.url, TEMPLATE)
  await migrate(template)
  await migrateJobs(template, log)
  return {
    url: server.url,
    async stop() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
