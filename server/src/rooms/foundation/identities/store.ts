import { findOne, type Queryable, type RowOf, toCamel, toSnake } from '#platform/database'

export type IdentityRow = RowOf<'identities'>

/** The name of an account, among all providers. */
export interface AccountName {
  readonly issuer: string
  readonly subject: string
}

/** Served by the unique index on both. */
export function findByAccount(db: Queryable, { issuer, subject }: AccountName): Promise<IdentityRow | undefined> {
  return findOne(db.selectFrom('identities').selectAll().where('issuer', '=', issuer).where('subject', '=', subject))
}

/** Oldest first. */
export async function listIdentities(db: Queryable, userId: string): Promise<IdentityRow[]> {
  const rows = await db.selectFrom('identities').selectAll().where('user_id', '=', userId).orderBy('id').execute()
  return rows.map(toCamel)
}

export async function insertIdentity(db: Queryable, row: IdentityRow): Promise<void> {
  await db.insertInto('identities').values(toSnake(row)).execute()
}

/** Answers what was deleted. */
export function deleteIdentity(db: Queryable, userId: string, id: string): Promise<IdentityRow | undefined> {
  return findOne(db.deleteFrom('identities').where('id', '=', id).where('user_id', '=', userId).returningAll())
}

/** Answers whether it is still there. */
export async function noteSignIn(db: Queryable, id: string, at: Date): Promise<boolean> {
  const result = await db.updateTable('identities').set({ last_sign_in_at: at }).where('id', '=', id).executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Answers whether it was not spent before, also where two ask at the same time. */
export async function spend(db: Queryable, digest: Buffer, expiresAt: Date): Promise<boolean> {
  const result = await db
    .insertInto('spent_sign_ins')
    .values({ digest, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function dropExpired(db: Queryable, at: Date): Promise<void> {
  await db.deleteFrom('spent_sign_ins').where('expires_at', '<', at).execute()
}
