import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startEmbedded } from '../../server/src/platform/database/index.ts'
import { createLog } from '../../server/src/platform/log/index.ts'
import { systemClock } from '../../server/src/platform/time/index.ts'
import { furnish } from './data-folder.ts'
import { makeDataDir } from './house.ts'

/** A PostgreSQL of its own for several control planes, started again whenever it dies. */
export interface SharedDatabase {
  readonly url: string
  /** Restarts as `pg_ctl restart -m immediate` does: no transaction under way is finished, every connection ends. */
  crash(): void
  /** Ends it, and starts it again after so long, or when this has resolved; connections are refused meanwhile. */
  leave(until: number | Promise<unknown>): Promise<void>
  /** The pid of the server; 0 without one. */
  pid(): number
  /** The output of the server, and the messages about its ends. */
  readonly output: () => string
  query(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  stop(): Promise<void>
}

export async function startSharedDatabase(): Promise<SharedDatabase> {
  const dataDir = makeDataDir()
  furnish(dataDir)
  let output = ''
  const log = createLog({ level: 'debug', pretty: false, destination: { write: (line) => void (output += line) } })
  // Tests kill the server and never the machine: data given to the system is kept.
  const settings = { fsync: 'off', full_page_writes: 'off' }
  const start = () => startEmbedded({ dataDir, log, clock: systemClock, settings })
  let server = await start()
  const { url } = server
  const pid = (): number => server.pid ?? 0
  return {
    url,
    pid,
    output: () => output,
    async leave(until) {
      await server.stop()
      await (typeof until === 'number' ? pause(until) : until)
      server = await start()
    },
    crash: () => void (pid() > 0 && process.kill(pid(), 'SIGQUIT')),
    async query(text, values = []) {
      const client = new pg.Client({ connectionString: url })
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
