import { findOne, type Queryable, type RowOf, type Tx, toCamel, toSnake } from '#platform/database'
import type { Window } from '#platform/http'

const COLUMNS = ['id', 'login', 'name', 'email', 'password_hash', 'disabled_at', 'created_at', 'updated_at'] as const

export type UserRow = RowOf<'users', (typeof COLUMNS)[number]>

export async function insertUser(db: Queryable, row: UserRow): Promise<void> {
  await db.insertInto('users').values(toSnake(row)).execute()
}

/** Answers whether the login was free, also of what another transaction has just written. */
export async function insertUserIfFree(tx: Tx, row: UserRow): Promise<boolean> {
  const result = await tx
    .insertInto('users')
    .values(toSnake(row))
    .onConflict((conflict) => conflict.column('login').doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function updateUser(db: Queryable, row: UserRow): Promise<void> {
  await db.updateTable('users').set(toSnake(row)).where('id', '=', row.id).execute()
}

export async function deleteUser(db: Queryable, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('users').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function findUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  return findOne(db.selectFrom('users').select(COLUMNS).where('id', '=', id))
}

export async function findUserByLogin(db: Queryable, login: string): Promise<UserRow | undefined> {
  return findOne(db.selectFrom('users').select(COLUMNS).where('login', '=', login))
}

export async function lockUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  return findOne(tx.selectFrom('users').select(COLUMNS).where('id', '=', id).forUpdate())
}

/** Nobody changes or deletes the user until the transaction ends. */
export async function holdUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  return findOne(tx.selectFrom('users').select(COLUMNS).where('id', '=', id).forShare())
}

export async function listUsers(db: Queryable, { before, limit }: Window): Promise<UserRow[]> {
  let query = db.selectFrom('users').select(COLUMNS).orderBy('id', 'desc').limit(limit)
  if (before) query = query.where('id', '<', before)
  return (await query.execute()).map(toCamel)
}
