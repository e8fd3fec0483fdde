import { findOne, type Queryable, type RowOf, type Tx, toCamel, toSnake, withinPrefixes } from '#platform/database'
import type { Window } from '#platform/http'

const ENROLLMENT = ['id', 'team_path', 'scopes', 'labels', 'expires_at', 'used_at', 'created_by', 'created_at'] as const

export type EnrollmentRow = RowOf<'runner_enrollments', (typeof ENROLLMENT)[number]>

export async function insertEnrollment(db: Queryable, row: EnrollmentRow, tokenSha256: Buffer): Promise<void> {
  await db
    .insertInto('runner_enrollments')
    .values(toSnake({ ...row, tokenSha256 }))
    .execute()
}

export async function findEnrollment(db: Queryable, id: string): Promise<EnrollmentRow | undefined> {
  return findOne(db.selectFrom('runner_enrollments').select(ENROLLMENT).where('id', '=', id))
}

/** Locks the row until the transaction ends: of two runners with one token the second sees that it is used. */
export async function lockEnrollmentByToken(tx: Tx, tokenSha256: Buffer): Promise<EnrollmentRow | undefined> {
  return findOne(
    tx.selectFrom('runner_enrollments').select(ENROLLMENT).where('token_sha256', '=', tokenSha256).forUpdate(),
  )
}

/** SHA-256 of the tokens that enrol a runner now. */
export async function listOpenDigests(db: Queryable, at: Date): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('runner_enrollments')
    .select('token_sha256')
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .execute()
  return rows.map((row) => row.token_sha256)
}

export async function markEnrollmentUsed(db: Queryable, id: string, at: Date): Promise<void> {
  await db.updateTable('runner_enrollments').set({ used_at: at }).where('id', '=', id).execute()
}

/** False when a runner has used the enrolment and names it. */
export async function deleteUnusedEnrollment(db: Queryable, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('runner_enrollments')
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export interface EnrollmentFilter extends Window {
  readonly prefixes: readonly string[]
}

export async function listEnrollments(db: Queryable, filter: EnrollmentFilter): Promise<EnrollmentRow[]> {
  let query = db
    .selectFrom('runner_enrollments')
    .select(ENROLLMENT)
    .where(withinPrefixes('team_path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toCamel)
}
