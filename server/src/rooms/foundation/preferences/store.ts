import type { Preferences } from '@signalbox/contracts/preferences'
import { findOne, type Queryable, type RowOf, type Tx } from '#platform/database'

const COLUMNS = ['document', 'updated_at'] as const

export type PreferenceRow = RowOf<'preferences', (typeof COLUMNS)[number]>

export async function findPreferences(db: Queryable, userId: string): Promise<PreferenceRow | undefined> {
  return findOne(db.selectFrom('preferences').select(COLUMNS).where('user_id', '=', userId))
}

/** Makes the row where there is none, and locks it: two writers take turns, the first ones too. */
export async function lockPreferences(tx: Tx, userId: string, updatedAt: Date): Promise<PreferenceRow> {
  const empty = { user_id: userId, document: '{}', updated_at: updatedAt }
  await tx
    .insertInto('preferences')
    .values(empty)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await findOne(tx.selectFrom('preferences').select(COLUMNS).where('user_id', '=', userId).forUpdate())
  if (!row) throw new Error('Preferences that were just made are not there')
  return row
}

export async function updatePreferences(
  tx: Tx,
  userId: string,
  row: { readonly document: Preferences; readonly updatedAt: Date },
): Promise<void> {
  await tx
    .updateTable('preferences')
    .set({ document: JSON.stringify(row.document), updated_at: row.updatedAt })
    .where('user_id', '=', userId)
    .execute()
}
