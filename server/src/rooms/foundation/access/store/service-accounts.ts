import type { Selectable } from 'kysely'
import { type DB, type Queryable, withinPrefixes } from '#platform/database'

export interface ServiceAccountRow {
  readonly id: string
  readonly teamPath: string
  readonly name: string
  readonly disabledAt: Date | null
  readonly createdAt: Date
}

export async function insertServiceAccount(db: Queryable, row: ServiceAccountRow): Promise<void> {
  await db
    .insertInto('service_accounts')
    .values({
      id: row.id,
      team_path: row.teamPath,
      name: row.name,
      disabled_at: row.disabledAt,
      created_at: row.createdAt,
    })
    .execute()
}

export async function setDisabled(db: Queryable, id: string, at: Date | null): Promise<void> {
  await db.updateTable('service_accounts').set({ disabled_at: at }).where('id', '=', id).execute()
}

export async function deleteServiceAccount(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('service_accounts').where('id', '=', id).execute()
}

export async function findServiceAccount(db: Queryable, id: string): Promise<ServiceAccountRow | undefined> {
  const row = await db.selectFrom('service_accounts').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toServiceAccount(row)
}

export async function listServiceAccounts(
  db: Queryable,
  filter: { prefixes: readonly string[]; before: string | undefined; limit: number },
): Promise<ServiceAccountRow[]> {
  let query = db
    .selectFrom('service_accounts')
    .selectAll()
    .where(withinPrefixes('team_path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toServiceAccount)
}

function toServiceAccount(row: Selectable<DB['service_accounts']>): ServiceAccountRow {
  return {
    id: row.id,
    teamPath: row.team_path,
    name: row.name,
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
  }
}
