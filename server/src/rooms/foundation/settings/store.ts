import type { Queryable } from '#platform/database'

export interface SettingRow {
  readonly path: string
  readonly version: number
  readonly document: unknown
  /** Sealed values in base64, by field. */
  readonly sealed: Readonly<Record<string, string>>
  readonly savedBy: string
  readonly savedAt: Date
}

/** The newest version. */
export async function findSetting(db: Queryable, path: string): Promise<SettingRow | undefined> {
  const row = await db
    .selectFrom('settings')
    .selectAll()
    .where('path', '=', path)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    path: row.path,
    version: row.version,
    document: row.document,
    sealed: readSealed(row.sealed),
    savedBy: row.saved_by,
    savedAt: row.saved_at,
  }
}

/** Answers false where another version of this number was saved meanwhile. */
export async function insertSetting(db: Queryable, row: SettingRow): Promise<boolean> {
  const result = await db
    .insertInto('settings')
    .values({
      path: row.path,
      version: row.version,
      document: JSON.stringify(row.document),
      sealed: JSON.stringify(row.sealed),
      saved_by: row.savedBy,
      saved_at: row.savedAt,
    })
    .onConflict((conflict) => conflict.columns(['path', 'version']).doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

function readSealed(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
