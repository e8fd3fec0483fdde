import type { GitAppProvider } from '@signalbox/contracts/git-apps'
import { findOne, type Queryable, type RowOf, type Tx, toCamel, toSnake } from '#platform/database'

export type AppRow = RowOf<'git_apps'>

export function findApp(db: Queryable, provider: GitAppProvider): Promise<AppRow | undefined> {
  return findOne(db.selectFrom('git_apps').selectAll().where('provider', '=', provider))
}

/** The row is locked: changes of an app take turns. */
export function lockApp(tx: Tx, provider: GitAppProvider): Promise<AppRow | undefined> {
  return findOne(tx.selectFrom('git_apps').selectAll().where('provider', '=', provider).forUpdate())
}

/** The app whose deliveries come to the source. */
export function findAppOfSource(db: Queryable, sourceId: string): Promise<AppRow | undefined> {
  return findOne(db.selectFrom('git_apps').selectAll().where('source_id', '=', sourceId))
}

export async function listApps(db: Queryable): Promise<AppRow[]> {
  const rows = await db.selectFrom('git_apps').selectAll().orderBy('provider').execute()
  return rows.map(toCamel)
}

/** Of two at once the second fails with git_apps_pkey. */
export async function insertApp(db: Queryable, row: AppRow): Promise<void> {
  await db.insertInto('git_apps').values(toSnake(row)).execute()
}

export async function updateApp(db: Queryable, row: AppRow): Promise<void> {
  await db.updateTable('git_apps').set(toSnake(row)).where('provider', '=', row.provider).execute()
}

/** The keys and installations go with it. */
export async function deleteApp(db: Queryable, provider: GitAppProvider): Promise<void> {
  await db.deleteFrom('git_apps').where('provider', '=', provider).execute()
}
