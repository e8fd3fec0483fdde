import { rmSync } from 'node:fs'
import pg from 'pg'
import { startEmbedded } from '../../server/src/platform/database/index.ts'
import { createLog } from '../../server/src/platform/log/index.ts'
import { systemClock } from '../../server/src/platform/time/index.ts'
import { furnish } from './data-folder.ts'
import { makeDataDir } from './house.ts'

/** A PostgreSQL of its own for several control planes, started again whenever it dies. */
export interface SharedDatabase {
  readonly url: string
  /** As `pg_ctl restart -m immediate`: no transaction under way is finished, every connection ends. */
  crash(): void
  /** The processes of the server, to stop and go on with. */
  pid(): number
  query(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  stop(): Promise<void>
}

export async function startSharedDatabase(): Promise<SharedDatabase> {
  const dataDir = makeDataDir()
  furnish(dataDir)
  const log = createLog({ level: 'silent', pretty: false })
  // What is killed here is the server, never the machine: what it gave to the system is kept.
  const settings = { fsync: 'off', full_page_writes: 'off' }
  const server = await startEmbedded({ dataDir, log, clock: systemClock, settings })
  const pid = (): number => server.pid ?? 0
  return {
    url: server.url,
    pid,
    crash: () => void (pid() > 0 && process.kill(pid(), 'SIGQUIT')),
    async query(text, values = []) {
      const client = new pg.Client({ connectionString: server.url })
      client.on('error', () => undefined)
      await client.connect()
      try {
        return (await client.query<Record<string, unknown>>(text, [...values])).rows
      } finally {
        await client.end()
      }
    },
    async stop() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
