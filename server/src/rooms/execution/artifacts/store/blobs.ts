import { sql } from 'kysely'
import type { Queryable, Tx } from '#platform/database'

export interface BlobRow {
  readonly id: string
  readonly teamPath: string
  readonly sha256: string
  readonly size: number
  readonly completedAt: Date | null
}

const COLUMNS = ['id', 'team_path as teamPath', 'sha256', 'size', 'completed_at as completedAt'] as const

export interface NewBlob {
  readonly id: string
  readonly teamPath: string
  readonly sha256: string
  readonly size: number
  readonly at: Date
}

/** The blob of this content, made where there is none. Touched either way, so that it does not go meanwhile. */
export async function openBlob(db: Queryable, { id, teamPath, sha256, size, at }: NewBlob): Promise<BlobRow> {
  return db
    .insertInto('blobs')
    .values({ id, team_path: teamPath, sha256, size, created_at: at, touched_at: at })
    .onConflict((conflict) => conflict.columns(['team_path', 'sha256']).doUpdateSet({ touched_at: at }))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export function findBlob(db: Queryable, id: string): Promise<BlobRow | undefined> {
  return db.selectFrom('blobs').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** The complete blob of this content, which nobody removes until the transaction ends. */
export function lockComplete(tx: Tx, teamPath: string, sha256: string): Promise<BlobRow | undefined> {
  return tx
    .selectFrom('blobs')
    .select(COLUMNS)
    .where('team_path', '=', teamPath)
    .where('sha256', '=', sha256)
    .where('completed_at', 'is not', null)
    .forShare()
    .executeTakeFirst()
}

export async function completeBlob(db: Queryable, id: string, at: Date): Promise<void> {
  await db
    .updateTable('blobs')
    .set({ completed_at: at, touched_at: at })
    .where('id', '=', id)
    .where('completed_at', 'is', null)
    .execute()
}

export async function listParts(db: Queryable, blobId: string): Promise<{ number: number; sha256: string }[]> {
  return db
    .selectFrom('blob_parts')
    .select(['number', 'sha256'])
    .where('blob_id', '=', blobId)
    .orderBy('number')
    .execute()
}

/** After its object is durable. Again: the newer one counts, as in the object store. */
export async function recordPart(
  db: Queryable,
  part: { readonly blobId: string; readonly number: number; readonly size: number; readonly sha256: string },
  at: Date,
): Promise<void> {
  const { blobId: blob_id, number, size, sha256 } = part
  await db
    .insertInto('blob_parts')
    .values({ blob_id, number, size, sha256 })
    .onConflict((conflict) => conflict.columns(['blob_id', 'number']).doUpdateSet({ size, sha256 }))
    .execute()
  await db.updateTable('blobs').set({ touched_at: at }).where('id', '=', blob_id).execute()
}

/** The stored bytes are not what they should be: all parts are to be sent again. */
export async function forgetParts(db: Queryable, blobId: string): Promise<void> {
  await db.deleteFrom('blob_parts').where('blob_id', '=', blobId).execute()
}

/**
 * Takes the rows of blobs that nothing refers to and nobody has touched since `before`; answers them with how many parts
 * they have. Rows that somebody holds are left for the next time.
 */
export async function takeUnused(tx: Tx, before: Date, limit: number): Promise<{ id: string; size: number }[]> {
  const { rows } = await sql<{ id: string; size: number }>`
    delete from blobs where id in (
      select id from blobs
      where touched_at < ${before}
        and not exists (select from artifacts where artifacts.blob_id = blobs.id)
        and not exists (select from cache_entries where cache_entries.blob_id = blobs.id)
      order by touched_at limit ${limit} for update skip locked
    ) returning id, size`.execute(tx)
  return rows
}
