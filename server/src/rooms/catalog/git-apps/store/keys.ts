import type { GitAppProvider } from '@signalbox/contracts/git-apps'
import { type Queryable, type RowOf, toCamel, toSnake } from '#platform/database'

export type KeyRow = RowOf<'git_app_keys'>

/** Newest first; at most two of a kind. */
export async function listKeys(db: Queryable, provider: GitAppProvider): Promise<KeyRow[]> {
  const rows = await db
    .selectFrom('git_app_keys')
    .selectAll()
    .where('provider', '=', provider)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toCamel)
}

export async function insertKey(db: Queryable, row: KeyRow): Promise<void> {
  await db.insertInto('git_app_keys').values(toSnake(row)).execute()
}

export async function deleteKeys(db: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .deleteFrom('git_app_keys')
    .where('id', 'in', [...ids])
    .execute()
}

/** Keys that an old version of secret_key sealed; locked, so that two workers do not seal the same ones. */
export async function claimSealedBefore(db: Queryable, keyVersion: number): Promise<KeyRow[]> {
  const rows = await db
    .selectFrom('git_app_keys')
    .selectAll()
    .where('key_version', '<', keyVersion)
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(toCamel)
}

export async function replaceSealed(
  db: Queryable,
  { id, sealed, keyVersion }: Pick<KeyRow, 'id' | 'sealed' | 'keyVersion'>,
): Promise<void> {
  await db.updateTable('git_app_keys').set({ sealed, key_version: keyVersion }).where('id', '=', id).execute()
}
