import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#platform/config'
import { createSealer, masterKeyPath } from '#platform/crypto'
import { type Database, lockDataDir, migrate, openDatabase, startEmbedded } from '#platform/database'
import { createDiskProbe, type DiskPlace } from '#platform/disk'
import { createFacts, type FactsHouse } from '#platform/facts'
import { createFailPoints } from '#platform/fail-points'
import { createIds } from '#platform/ids'
import { jobs, migrateJobs } from '#platform/jobs'
import type { Log } from '#platform/log'
import { createMetrics } from '#platform/metrics'
import type { Kit, Probe } from '#platform/room'
import { systemClock } from '#platform/time'
import { refuseMoved, refuseUnfinishedFolder } from './backup/marks.ts'
import { objectPlaceProbe, takeObjectPlace } from './object-place.ts'
import { obtainKeys } from './obtain-keys.ts'

/** What the house stands on: a migrated database and the kit. `close` gives everything back, last of all. */
export interface Ground {
  readonly kit: Kit
  readonly factsHouse: FactsHouse
  readonly databaseUrl: string
  readonly probes: readonly Probe[]
  close(): Promise<void>
}

const LOCK_WAIT_MS = 10_000
const PING_MS = 1500

/** Starts or reaches the database and brings it up to date. On failure everything that was begun is undone. */
export async function layGround(config: Config, log: Log): Promise<Ground> {
  const undo: (() => Promise<void> | void)[] = []
  const close = async (): Promise<void> => {
    for (const step of undo.reverse()) await step()
    undo.length = 0
  }
  try {
    mkdirSync(config.dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
    refuseUnfinishedFolder(config.dataDir)
    const databaseUrl = config.databaseUrl ?? (await startOwnDatabase(config, log, undo))
    await migrate(databaseUrl)
    await migrateJobs(databaseUrl, log)
    const keys = await obtainKeys(config, databaseUrl, log)
    const objectPlace = await takeObjectPlace(config, databaseUrl)
    const clock = systemClock
    const database = openDatabase({ url: databaseUrl, poolSize: config.databasePoolSize, log, clock })
    undo.push(() => database.close())
    const ids = createIds(() => clock.now().getTime())
    const failPoints = createFailPoints(config.failPoint)
    const factsHouse = createFacts({ ids, clock, jobs, failPoints, database })
    const metrics = createMetrics()
    const up = metrics.gauge('signalbox_db_up', 'Whether the database answers', [])
    metrics.onScrape(async () => up.set(await isUp(database)))
    const kit: Kit = {
      config,
      database,
      clock,
      ids,
      log,
      facts: factsHouse.facts,
      jobs,
      sealer: createSealer(keys),
      metrics,
      failPoints,
    }
    const probes = [databaseProbe(database), diskProbe(kit)]
    if (objectPlace !== undefined) probes.push(objectPlaceProbe(config, objectPlace))
    return { kit, factsHouse, databaseUrl, probes, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startOwnDatabase(config: Config, log: Log, undo: (() => Promise<void> | void)[]): Promise<string> {
  const lock = await lockDataDir(config.dataDir, systemClock, LOCK_WAIT_MS)
  undo.push(() => lock.release())
  const { dataDir } = config
  refuseMoved(dataDir)
  // A key is made after the database, and for it: without one here, its database was lost on the way.
  const key = masterKeyPath(dataDir)
  const whyNotNew = existsSync(key)
    ? `The folder has the key of a lost database, though, ${key}: restore the database from the backup, or move that key away to begin anew.`
    : undefined
  const server = await startEmbedded({ dataDir, log, clock: systemClock, ...(whyNotNew ? { whyNotNew } : {}) })
  undo.push(() => server.stop())
  return server.url
}

async function isUp(database: Database): Promise<0 | 1> {
  return database.ping(PING_MS).then(
    () => 1,
    () => 0,
  )
}

function databaseProbe(database: Database): Probe {
  return {
    name: 'database',
    check: () =>
      database.ping(PING_MS).catch((cause: unknown) => {
        throw new ProbeFailed('The database cannot be reached; the service retries by itself.', { cause })
      }),
  }
}

function diskProbe({ config, database, metrics, clock }: Kit): Probe {
  const places: DiskPlace[] = [
    ...(config.databaseUrl === undefined
      ? [{ name: 'database', path: join(config.dataDir, 'postgres') } as const]
      : []),
    ...(config.objectStore === 'folder' ? [{ name: 'objects', path: join(config.dataDir, 'objects') } as const] : []),
  ]
  return createDiskProbe({ places, leastBytes: config.minFreeDisk, database, metrics, clock })
}

class ProbeFailed extends Error {
  override readonly name = 'ProbeFailed'
}
