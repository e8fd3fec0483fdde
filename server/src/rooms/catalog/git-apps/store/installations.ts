import type { GitAppProvider } from '@signalbox/contracts/git-apps'
import { findOne, type Queryable, type RowOf, type Tx, toCamel, toSnake } from '#platform/database'
import type { Window } from '#platform/http'

export type InstallationRow = RowOf<'git_installations'>

/** An installation by the provider's id of it. */
export interface InstallationName {
  readonly provider: GitAppProvider
  readonly installationId: string
}

export function findInstallation(db: Queryable, name: InstallationName): Promise<InstallationRow | undefined> {
  return findOne(
    db
      .selectFrom('git_installations')
      .selectAll()
      .where('provider', '=', name.provider)
      .where('installation_id', '=', name.installationId),
  )
}

export function lockInstallation(tx: Tx, name: InstallationName): Promise<InstallationRow | undefined> {
  return findOne(
    tx
      .selectFrom('git_installations')
      .selectAll()
      .where('provider', '=', name.provider)
      .where('installation_id', '=', name.installationId)
      .forUpdate(),
  )
}

export async function listInstallations(
  db: Queryable,
  provider: GitAppProvider,
  window: Window,
): Promise<InstallationRow[]> {
  let query = db
    .selectFrom('git_installations')
    .selectAll()
    .where('provider', '=', provider)
    .orderBy('id', 'desc')
    .limit(window.limit)
  if (window.before) query = query.where('id', '<', window.before)
  return (await query.execute()).map(toCamel)
}

/** Answers whether it was not there before. */
export async function insertInstallation(db: Queryable, row: InstallationRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('git_installations')
    .values({ ...toSnake(row), pages: JSON.stringify(row.pages) })
    .onConflict((conflict) => conflict.constraint('git_installations_known').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** The row is locked, or was read in the same transaction. */
export async function updateInstallation(db: Queryable, row: InstallationRow): Promise<void> {
  await db
    .updateTable('git_installations')
    .set({ ...toSnake(row), pages: JSON.stringify(row.pages) })
    .where('id', '=', row.id)
    .execute()
}

/** Answers whether it was there. */
export async function deleteInstallation(db: Queryable, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('git_installations').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** The provider's ids of installations that something can change of. */
export async function listLivingIds(db: Queryable): Promise<readonly InstallationName[]> {
  const rows = await db
    .selectFrom('git_installations')
    .innerJoin('git_apps', 'git_apps.provider', 'git_installations.provider')
    .select(['git_apps.provider', 'git_installations.installation_id'])
    .where('git_installations.deleted_at', 'is', null)
    .orderBy('git_installations.id')
    .execute()
  return rows.map(toCamel)
}
