import type { Config } from '#platform/config'
import { DataDirHeld, holdAlone, inspectCluster, lockDataDir, startEmbedded, urlOfRunning } from '#platform/database'
import type { Log } from '#platform/log'
import { systemClock } from '#platform/time'
import { refuseMoved, refuseUnfinishedFolder } from './marks.ts'
import { BackupRefused } from './refused.ts'

/** The configured database, as long as it is needed. */
export interface Reached extends AsyncDisposable {
  readonly url: string
}

const LOCK_WAIT_MS = 10_000

/** The database that a control plane here has, whether one runs on it now or not. */
export async function reachDatabase(config: Config, log: Log): Promise<Reached> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, [Symbol.asyncDispose]: async () => undefined }
  requireOwn(config.dataDir)
  try {
    return await startOwn(config.dataDir, log, 0)
  } catch (error) {
    if (!(error instanceof DataDirHeld)) throw error
    return { url: urlOfRunning(config.dataDir), [Symbol.asyncDispose]: async () => undefined }
  }
}

/** As `reachDatabase`, where no control plane works on it; none can begin before it is given back. */
export async function reachDatabaseAlone(config: Config, log: Log): Promise<Reached> {
  if (config.databaseUrl !== undefined) {
    const hold = await holdAlone(config.databaseUrl)
    return { url: config.databaseUrl, [Symbol.asyncDispose]: () => hold.end() }
  }
  requireOwn(config.dataDir)
  return startOwn(config.dataDir, log, LOCK_WAIT_MS)
}

function requireOwn(dataDir: string): void {
  refuseUnfinishedFolder(dataDir)
  refuseMoved(dataDir)
  if (inspectCluster(dataDir) === 'whole') return
  throw new BackupRefused(`${dataDir} has no database: set DATA_DIR to the folder that has one, or DATABASE_URL.`)
}

/** An embedded server of our own on a data folder that nobody else uses; makes the database where there is none. */
export async function startOwn(dataDir: string, log: Log, waitMs: number): Promise<Reached> {
  const lock = await lockDataDir(dataDir, systemClock, waitMs)
  try {
    const server = await startEmbedded({ dataDir, log, clock: systemClock })
    return {
      url: server.url,
      async [Symbol.asyncDispose]() {
        await server.stop()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}
