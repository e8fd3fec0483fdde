import type { Selectable } from 'kysely'
import type { DB, Queryable } from '#platform/database'

export interface UserRow {
  readonly id: string
  readonly login: string
  readonly name: string
  readonly email: string | null
  readonly passwordHash: string | null
  readonly disabledAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export async function insertUser(db: Queryable, row: UserRow): Promise<void> {
  await db
    .insertInto('users')
    .values({ id: row.id, login: row.login, created_at: row.createdAt, ...changing(row) })
    .execute()
}

export async function updateUser(db: Queryable, row: UserRow): Promise<void> {
  await db.updateTable('users').set(changing(row)).where('id', '=', row.id).execute()
}

export async function deleteUser(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute()
}

export async function findUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toUser(row)
}

export async function findUserByLogin(db: Queryable, login: string): Promise<UserRow | undefined> {
  const row = await db.selectFrom('users').selectAll().where('login', '=', login).executeTakeFirst()
  return row && toUser(row)
}

export async function lockUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toUser(row)
}

export async function listUsers(
  db: Queryable,
  filter: { before: string | undefined; limit: number },
): Promise<UserRow[]> {
  let query = db.selectFrom('users').selectAll().orderBy('id', 'desc').limit(filter.limit)
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toUser)
}

function changing(row: UserRow) {
  return {
    name: row.name,
    email: row.email,
    password_hash: row.passwordHash,
    disabled_at: row.disabledAt,
    updated_at: row.updatedAt,
  }
}

function toUser(row: Selectable<DB['users']>): UserRow {
  return {
    id: row.id,
    login: row.login,
    name: row.name,
    email: row.email,
    passwordHash: row.password_hash,
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
