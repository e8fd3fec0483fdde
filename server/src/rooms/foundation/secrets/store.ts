import type { Selectable } from 'kysely'
import { type DB, type Queryable, withinPrefixes } from '#platform/database'

export interface SecretRow {
  readonly id: string
  readonly teamPath: string
  readonly name: string
  readonly version: number
  readonly environments: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly lastUsedAt: Date | null
}

export interface SealedVersion {
  readonly secretId: string
  readonly version: number
  readonly sealed: Buffer
  readonly keyVersion: number
  readonly createdAt: Date
}

export interface StoredSecret extends SecretRow {
  /** Newest first; at most two. */
  readonly versions: readonly { readonly version: number; readonly sealed: Buffer }[]
}

export async function insertSecret(db: Queryable, row: SecretRow): Promise<void> {
  await db
    .insertInto('secrets')
    .values({
      id: row.id,
      team_path: row.teamPath,
      name: row.name,
      version: row.version,
      environments: [...row.environments],
      created_at: row.createdAt,
      updated_at: row.updatedAt,
    })
    .execute()
}

export async function insertVersion(db: Queryable, row: SealedVersion): Promise<void> {
  await db
    .insertInto('secret_versions')
    .values({
      secret_id: row.secretId,
      version: row.version,
      sealed: row.sealed,
      key_version: row.keyVersion,
      created_at: row.createdAt,
    })
    .execute()
}

export async function updateSecret(db: Queryable, row: SecretRow): Promise<void> {
  await db
    .updateTable('secrets')
    .set({ version: row.version, environments: [...row.environments], updated_at: row.updatedAt })
    .where('id', '=', row.id)
    .execute()
}

/** All others stop working at once and cannot be had back. */
export async function deleteVersionsExcept(db: Queryable, secretId: string, kept: readonly number[]): Promise<void> {
  await db
    .deleteFrom('secret_versions')
    .where('secret_id', '=', secretId)
    .where('version', 'not in', [...kept])
    .execute()
}

/** False: there is none. */
export async function deleteVersion(db: Queryable, secretId: string, version: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('secret_versions')
    .where('secret_id', '=', secretId)
    .where('version', '=', version)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteSecret(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('secrets').where('id', '=', id).execute()
}

export async function findSecret(db: Queryable, id: string): Promise<SecretRow | undefined> {
  const row = await db.selectFrom('secrets').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toSecret(row)
}

export async function findSecretByName(db: Queryable, teamPath: string, name: string): Promise<SecretRow | undefined> {
  const row = await db
    .selectFrom('secrets')
    .selectAll()
    .where('team_path', '=', teamPath)
    .where('name', '=', name)
    .executeTakeFirst()
  return row && toSecret(row)
}

export async function lockSecret(db: Queryable, id: string): Promise<SecretRow | undefined> {
  const row = await db.selectFrom('secrets').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toSecret(row)
}

export async function listSecrets(
  db: Queryable,
  filter: {
    prefixes: readonly string[]
    teamPath: string | undefined
    before: string | undefined
    limit: number
  },
): Promise<SecretRow[]> {
  let query = db
    .selectFrom('secrets')
    .selectAll()
    .where(withinPrefixes('team_path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.teamPath) query = query.where('team_path', '=', filter.teamPath)
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toSecret)
}

/** The secret and its live versions, in one round trip: deliveries wait for it. */
export async function findStored(db: Queryable, teamPath: string, name: string): Promise<StoredSecret | undefined> {
  const rows = await db
    .selectFrom('secrets')
    .innerJoin('secret_versions', 'secret_versions.secret_id', 'secrets.id')
    .selectAll('secrets')
    .select((eb) => [eb.ref('secret_versions.version').as('sealed_version'), 'secret_versions.sealed'])
    .where('secrets.team_path', '=', teamPath)
    .where('secrets.name', '=', name)
    .orderBy('secret_versions.version', 'desc')
    .limit(2)
    .execute()
  const [first] = rows
  if (!first) return undefined
  return {
    ...toSecret(first),
    versions: rows.map((row) => ({ version: row.sealed_version, sealed: row.sealed })),
  }
}

/**
 * At most once a minute per version, whatever process notes it: `staleBefore` is a minute ago. A use before a newer
 * version was stored says nothing about the time since, so that the first one after it counts whenever it comes. The
 * secret's last use is that of any of its versions.
 */
export async function touchVersion(
  db: Queryable,
  secretId: string,
  version: number,
  at: Date,
  staleBefore: Date,
): Promise<void> {
  await db
    .with('touched', (touching) =>
      touching
        .updateTable('secret_versions')
        .set({ last_used_at: at })
        .where('secret_id', '=', secretId)
        .where('version', '=', version)
        .where((eb) =>
          eb.or([
            eb('last_used_at', 'is', null),
            eb('last_used_at', '<=', staleBefore),
            eb.exists(
              eb
                .selectFrom('secret_versions as newer')
                .select('newer.version')
                .where('newer.secret_id', '=', secretId)
                .where('newer.version', '>', version)
                .whereRef('newer.created_at', '>=', 'secret_versions.last_used_at'),
            ),
          ]),
        )
        .returning('secret_id'),
    )
    .updateTable('secrets')
    // Another process may have noted a later one meanwhile.
    .set((eb) => ({ last_used_at: eb.fn<Date>('greatest', ['last_used_at', eb.val(at)]) }))
    .where('id', 'in', (eb) => eb.selectFrom('touched').select('secret_id'))
    .execute()
}

/** A version that can be used, newest first by secret. */
export interface LiveVersion {
  readonly secretId: string
  readonly version: number
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

export async function listVersions(db: Queryable, secretIds: readonly string[]): Promise<readonly LiveVersion[]> {
  if (secretIds.length === 0) return []
  const rows = await db
    .selectFrom('secret_versions')
    .select(['secret_id', 'version', 'created_at', 'last_used_at'])
    .where('secret_id', 'in', [...secretIds])
    .orderBy('secret_id')
    .orderBy('version', 'desc')
    .execute()
  return rows.map((row) => ({
    secretId: row.secret_id,
    version: row.version,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }))
}

/** Versions that an old key sealed, after the given place; locked, so that two workers do not seal the same ones. */
export async function claimSealedBefore(
  db: Queryable,
  keyVersion: number,
  after: Pick<SealedVersion, 'secretId' | 'version'> | undefined,
  limit: number,
): Promise<SealedVersion[]> {
  let query = db
    .selectFrom('secret_versions')
    .selectAll()
    .where('key_version', '<', keyVersion)
    .orderBy('secret_id')
    .orderBy('version')
    .limit(limit)
    .forUpdate()
    .skipLocked()
  if (after) {
    query = query.where((eb) => eb(eb.refTuple('secret_id', 'version'), '>', eb.tuple(after.secretId, after.version)))
  }
  return (await query.execute()).map(toSealed)
}

export async function replaceSealed(db: Queryable, row: SealedVersion): Promise<void> {
  await db
    .updateTable('secret_versions')
    .set({ sealed: row.sealed, key_version: row.keyVersion })
    .where('secret_id', '=', row.secretId)
    .where('version', '=', row.version)
    .execute()
}

/** One sealed version of each key version that is in use. */
export async function sampleSealed(db: Queryable): Promise<SealedVersion[]> {
  const rows = await db
    .selectFrom('secret_versions')
    .distinctOn('key_version')
    .selectAll()
    .orderBy('key_version')
    .execute()
  return rows.map(toSealed)
}

function toSealed(row: Selectable<DB['secret_versions']>): SealedVersion {
  return {
    secretId: row.secret_id,
    version: row.version,
    sealed: row.sealed,
    keyVersion: row.key_version,
    createdAt: row.created_at,
  }
}

function toSecret(row: Selectable<DB['secrets']>): SecretRow {
  return {
    id: row.id,
    teamPath: row.team_path,
    name: row.name,
    version: row.version,
    environments: row.environments,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastUsedAt: row.last_used_at,
  }
}
