import { findOne, type Queryable, type RowOf, toCamel, toSnake, withinPrefixes } from '#platform/database'
import type { Window } from '#platform/http'

const COLUMNS = ['id', 'team_path', 'name', 'disabled_at', 'created_at'] as const

export type ServiceAccountRow = RowOf<'service_accounts', (typeof COLUMNS)[number]>

export async function insertServiceAccount(db: Queryable, row: ServiceAccountRow): Promise<void> {
  await db.insertInto('service_accounts').values(toSnake(row)).execute()
}

export async function setDisabled(db: Queryable, id: string, at: Date | null): Promise<void> {
  await db.updateTable('service_accounts').set({ disabled_at: at }).where('id', '=', id).execute()
}

export async function deleteServiceAccount(db: Queryable, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('service_accounts').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function findServiceAccount(db: Queryable, id: string): Promise<ServiceAccountRow | undefined> {
  return findOne(db.selectFrom('service_accounts').select(COLUMNS).where('id', '=', id))
}

/** Service accounts of the teams at `prefixes` and below. */
export async function listServiceAccounts(
  db: Queryable,
  prefixes: readonly string[],
  window: Window,
): Promise<ServiceAccountRow[]> {
  let query = db
    .selectFrom('service_accounts')
    .select(COLUMNS)
    .where(withinPrefixes('team_path', prefixes))
    .orderBy('id', 'desc')
    .limit(window.limit)
  if (window.before) query = query.where('id', '<', window.before)
  return (await query.execute()).map(toCamel)
}
