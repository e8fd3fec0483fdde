import {
  type FoundByText,
  findByText,
  findOne,
  type Queryable,
  type RowOf,
  type TextWish,
  type Tx,
  toCamel,
  toSnake,
  withinPrefixes,
} from '#platform/database'
import type { Window } from '#platform/http'

const SECRET = [
  'id',
  'team_path',
  'name',
  'version',
  'environments',
  'created_at',
  'updated_at',
  'last_used_at',
] as const
const SEALED = ['secret_id', 'version', 'sealed', 'key_version', 'created_at'] as const
const LIVE = ['secret_id', 'version', 'created_at', 'last_used_at'] as const

export type SecretRow = RowOf<'secrets', (typeof SECRET)[number]>
export type SealedVersion = RowOf<'secret_versions', (typeof SEALED)[number]>
/** A version that can be used. */
export type LiveVersion = RowOf<'secret_versions', (typeof LIVE)[number]>

export interface StoredSecret extends Pick<SecretRow, 'id' | 'environments'> {
  /** Newest first; at most two. */
  readonly versions: readonly Pick<SealedVersion, 'version' | 'sealed'>[]
}

export interface SecretFilter extends Window {
  /** Secrets of these teams and those below. */
  readonly prefixes: readonly string[]
  readonly teamPath: string | undefined
}

export async function insertSecret(db: Queryable, row: SecretRow): Promise<void> {
  await db.insertInto('secrets').values(toSnake(row)).execute()
}

export async function insertVersion(db: Queryable, row: SealedVersion): Promise<void> {
  await db.insertInto('secret_versions').values(toSnake(row)).execute()
}

/** The row is locked: no use is noted meanwhile that this would undo. */
export async function updateSecret(tx: Tx, row: SecretRow): Promise<void> {
  await tx.updateTable('secrets').set(toSnake(row)).where('id', '=', row.id).execute()
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
  return findOne(db.selectFrom('secrets').select(SECRET).where('id', '=', id))
}

export async function findSecretByName(db: Queryable, teamPath: string, name: string): Promise<SecretRow | undefined> {
  return findOne(db.selectFrom('secrets').select(SECRET).where('team_path', '=', teamPath).where('name', '=', name))
}

export async function lockSecret(tx: Tx, id: string): Promise<SecretRow | undefined> {
  return findOne(tx.selectFrom('secrets').select(SECRET).where('id', '=', id).forUpdate())
}

export async function listSecrets(db: Queryable, filter: SecretFilter): Promise<SecretRow[]> {
  let query = db
    .selectFrom('secrets')
    .select(SECRET)
    .where(withinPrefixes('team_path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.teamPath) query = query.where('team_path', '=', filter.teamPath)
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toCamel)
}

/** The secret and its live versions, in one round trip: deliveries wait for it. */
export async function findStored(db: Queryable, teamPath: string, name: string): Promise<StoredSecret | undefined> {
  const rows = await db
    .selectFrom('secrets')
    .innerJoin('secret_versions', 'secret_versions.secret_id', 'secrets.id')
    .select(['secrets.id', 'secrets.environments', 'secret_versions.version', 'secret_versions.sealed'])
    .where('secrets.team_path', '=', teamPath)
    .where('secrets.name', '=', name)
    .orderBy('secret_versions.version', 'desc')
    .limit(2)
    .execute()
  const [first] = rows
  return first && { id: first.id, environments: first.environments, versions: rows }
}

/**
 * At most once a minute per version, whatever process notes it: `staleBefore` is a minute ago. A use before a newer
 * version was stored says nothing about the time since, so that the first one after it counts whenever it comes. The
 * secret's last use is that of any of its versions.
 */
export async function touchVersion(
  db: Queryable,
  { secretId, version }: Pick<SealedVersion, 'secretId' | 'version'>,
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

/** Newest first by secret. */
export async function listVersions(db: Queryable, secretIds: readonly string[]): Promise<readonly LiveVersion[]> {
  if (secretIds.length === 0) return []
  const rows = await db
    .selectFrom('secret_versions')
    .select(LIVE)
    .where('secret_id', 'in', [...secretIds])
    .orderBy('secret_id')
    .orderBy('version', 'desc')
    .execute()
  return rows.map(toCamel)
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
    .select(SEALED)
    .where('key_version', '<', keyVersion)
    .orderBy('secret_id')
    .orderBy('version')
    .limit(limit)
    .forUpdate()
    .skipLocked()
  if (after) {
    query = query.where((eb) => eb(eb.refTuple('secret_id', 'version'), '>', eb.tuple(after.secretId, after.version)))
  }
  return (await query.execute()).map(toCamel)
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
    .select(SEALED)
    .orderBy('key_version')
    .execute()
  return rows.map(toCamel)
}

/** The names of secrets at and below these team paths. */
export function searchSecrets(db: Queryable, prefixes: readonly string[], wish: TextWish): Promise<FoundByText[]> {
  const where = withinPrefixes('team_path', prefixes)
  return findByText(db, { table: 'secrets', where }, wish)
}
