import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Owner } from './owner.ts'
import { DatabaseRefused } from './refused.ts'

const AWAY = 'Nothing was changed.'

/** The folder of the cluster, always inside the data folder. */
export function clusterOf(dataDir: string): string {
  return join(dataDir, 'postgres')
}

/**
 * Whether the data folder has a cluster that this program can start, or none at all. Everything else is refused with a
 * sentence that names the folder. A start never guesses, and never deletes an unknown file.
 */
export function examineCluster(dataDir: string, owner: Owner | undefined, major: string): 'absent' | 'whole' {
  const cluster = clusterOf(dataDir)
  const names = listNames(cluster)
  if (names === undefined) {
    refuseElsewhere(dataDir, cluster)
    return 'absent'
  }
  if (names.length === 0) return 'absent'
  requireOwner(cluster, owner)
  const version = readWithin(cluster, 'PG_VERSION')?.trim()
  if (version === undefined || !existsSync(join(cluster, 'global/pg_control'))) {
    const lacks = version === undefined ? 'PG_VERSION' : 'global/pg_control'
    throw new DatabaseRefused(
      'database.not_understood',
      `${cluster} is not empty and not a whole database: it lacks ${lacks}. If ${cluster} is a copy, restore the whole of it from the backup. If it is something else, move it away or set DATA_DIR to another folder. ${AWAY}`,
    )
  }
  if (version !== major) {
    throw new DatabaseRefused(
      'database.other_major',
      `${cluster} was made by PostgreSQL ${version}, and this version of Signalbox brings along PostgreSQL ${major}. Start the version of Signalbox that made it, dump the database there with pg_dump, and restore the dump into a new data folder. ${AWAY}`,
    )
  }
  return 'whole'
}

/** Undefined where there is no such folder. */
function listNames(cluster: string): string[] | undefined {
  const link = lstatSync(cluster, { throwIfNoEntry: false })
  if (!link) return undefined
  if (!statSync(cluster, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DatabaseRefused(
      'database.not_understood',
      `${cluster} is not a folder, or a link that leads nowhere: mount or restore what belongs there, or remove it. ${AWAY}`,
    )
  }
  try {
    return readdirSync(cluster)
  } catch (cause) {
    throw new DatabaseRefused(
      'database.wrong_owner',
      `${cluster} cannot be read by this user: start Signalbox as the user that made it. ${AWAY}`,
      { cause },
    )
  }
}

/** An earlier build put the database elsewhere where PostgreSQL's account could not enter the data folder. */
function refuseElsewhere(dataDir: string, cluster: string): void {
  const elsewhere = readWithin(dataDir, 'postgres.location')?.trim()
  if (elsewhere === undefined) return
  throw new DatabaseRefused(
    'database.not_understood',
    `The file postgres.location of ${dataDir} names another place of the database, ${elsewhere}. To keep that database, move ${join(elsewhere, 'postgres')} to ${cluster}; to begin anew, leave it there. Then remove postgres.location. ${AWAY}`,
  )
}

function requireOwner(cluster: string, owner: Owner | undefined): void {
  const uid = owner?.uid ?? process.getuid?.()
  const stats = ['', 'PG_VERSION', 'global', 'global/pg_control'].map((name) =>
    statSync(join(cluster, name), { throwIfNoEntry: false }),
  )
  const strange = stats.find((stat) => stat !== undefined && uid !== undefined && stat.uid !== uid)
  if (strange) {
    const who = `the account ${owner ? `${owner.name} (uid ${uid})` : `uid ${uid}`}`
    throw new DatabaseRefused(
      'database.wrong_owner',
      `${cluster} belongs to uid ${strange.uid}, and PostgreSQL runs as ${who}. If it was restored without its owners: chown -R ${owner ? `${owner.uid}:${owner.gid}` : uid} ${cluster}. Otherwise start Signalbox as the user that made it. ${AWAY}`,
    )
  }
  if (((stats[0]?.mode ?? 0) & 0o027) !== 0) {
    throw new DatabaseRefused(
      'database.wrong_owner',
      `Others may enter ${cluster}, and PostgreSQL refuses that: chmod 700 ${cluster}. ${AWAY}`,
    )
  }
}

function readWithin(folder: string, name: string): string | undefined {
  try {
    return readFileSync(join(folder, name), 'utf8')
  } catch {
    return undefined
  }
}
