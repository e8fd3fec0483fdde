import { findOne, type Queryable, type RowOf, toSnake } from '#platform/database'

const COLUMNS = ['path', 'version', 'document', 'sealed', 'saved_by', 'saved_at'] as const

/** `sealed` holds sealed values in base64, by field. */
export type SettingRow = RowOf<'settings', (typeof COLUMNS)[number]>

/** The newest version. */
export async function findSetting(db: Queryable, path: string): Promise<SettingRow | undefined> {
  return findOne(db.selectFrom('settings').select(COLUMNS).where('path', '=', path).orderBy('version', 'desc').limit(1))
}

/** Answers false where another version of this number was saved meanwhile. */
export async function insertSetting(db: Queryable, row: SettingRow): Promise<boolean> {
  const result = await db
    .insertInto('settings')
    // A document may be any JSON, also a list or a text, which the driver would send as something else.
    .values({ ...toSnake(row), document: JSON.stringify(row.document) })
    .onConflict((conflict) => conflict.columns(['path', 'version']).doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}
