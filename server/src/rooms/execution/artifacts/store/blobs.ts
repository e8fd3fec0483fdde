import { sql } from 'kysely'
import { findOne, type Queryable, type RowOf, type Tx, toCamel, toSnake } from '#platform/database'

/** Against what an archive counts until something refers to it. */
export type Purpose = 'artifact' | 'cache'

const COLUMNS = ['id', 'team_path', 'sha256', 'size', 'completed_at'] as const

export type BlobRow = RowOf<'blobs', (typeof COLUMNS)[number]>

export interface NewBlob extends Omit<BlobRow, 'completedAt'> {
  readonly purpose: Purpose
  /** The attempt that announces the blob. */
  readonly attemptId: string
  readonly at: Date
}

/** The blob of this content, made where there is none. Touched either way, so that it does not go meanwhile. */
export async function openBlob(db: Queryable, blob: NewBlob): Promise<BlobRow> {
  const { attemptId: announcedBy, at, ...content } = blob
  const alone = sql<string>`case when blobs.announced_by = ${announcedBy} then blobs.announced_by end`
  const again = { purpose: blob.purpose, touched_at: at, announced_by: alone }
  const row = await db
    .insertInto('blobs')
    .values(toSnake({ ...content, announcedBy, createdAt: at, touchedAt: at }))
    .onConflict((conflict) => conflict.columns(['team_path', 'sha256', 'size']).doUpdateSet(again))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return toCamel(row)
}

export async function findBlob(db: Queryable, id: string): Promise<BlobRow | undefined> {
  return findOne(db.selectFrom('blobs').select(COLUMNS).where('id', '=', id))
}

/** The complete blob of this content, which nobody removes until the transaction ends. */
export async function lockComplete(tx: Tx, teamPath: string, sha256: string): Promise<BlobRow | undefined> {
  return findOne(
    tx
      .selectFrom('blobs')
      .select(COLUMNS)
      .where('team_path', '=', teamPath)
      .where('sha256', '=', sha256)
      .where('completed_at', 'is not', null)
      .forShare(),
  )
}

/** Bytes of what the team has announced for this purpose and nothing refers to yet, but for the archive of this content. */
export async function sumWaiting(
  db: Queryable,
  teamPath: string,
  purpose: Purpose,
  but: { readonly sha256: string; readonly size: number },
): Promise<number> {
  const row = await db
    .selectFrom('blobs')
    .select(sql<string>`coalesce(sum(size), 0)`.as('bytes'))
    .where('team_path', '=', teamPath)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where((of) => of.or([of('sha256', '<>', but.sha256), of('size', '<>', but.size)]))
    .executeTakeFirstOrThrow()
  return Number(row.bytes)
}

/** Something refers to it from now on. */
export async function useBlob(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.updateTable('blobs').set({ used_at: at }).where('id', '=', id).where('used_at', 'is', null).execute()
}

/** Takes the row of a blob that only this attempt announced, and that nothing has ever referred to; answers its objects. */
export async function takeAnnounced(tx: Tx, id: string, attemptId: string): Promise<string[]> {
  const { rows } = await sql<{ objects: string[] }>`
    with gone as (
      delete from blobs where id = ${id} and announced_by = ${attemptId} and used_at is null returning id
    )
    select array(select object from blob_parts where blob_id = gone.id) as objects from gone`.execute(tx)
  return rows[0]?.objects ?? []
}

/** Nobody records a part of it until the transaction ends. Undefined when it is complete, or gone. */
export async function lockIncomplete(tx: Tx, id: string): Promise<BlobRow | undefined> {
  return findOne(
    tx.selectFrom('blobs').select(COLUMNS).where('id', '=', id).where('completed_at', 'is', null).forUpdate(),
  )
}

export async function completeBlob(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.updateTable('blobs').set({ completed_at: at, touched_at: at }).where('id', '=', id).execute()
}

export type PartRow = RowOf<'blob_parts', 'number' | 'object'>

export async function listParts(db: Queryable, blobId: string): Promise<PartRow[]> {
  return db
    .selectFrom('blob_parts')
    .select(['number', 'object'])
    .where('blob_id', '=', blobId)
    .orderBy('number')
    .execute()
}

/**
 * After its object is durable, and under the lock of the blob. Again: other bytes replace the older ones, the same change
 * nothing, so that two may send one archive at once. Answers the object that is named no more.
 */
export async function recordPart(tx: Tx, part: RowOf<'blob_parts'>, at: Date): Promise<string | undefined> {
  const { blobId, number, size, sha256, object } = part
  const older = await tx
    .selectFrom('blob_parts')
    .select(['object', 'sha256'])
    .where('blob_id', '=', blobId)
    .where('number', '=', number)
    .executeTakeFirst()
  await tx.updateTable('blobs').set({ touched_at: at }).where('id', '=', blobId).execute()
  if (older?.sha256 === sha256) return object
  await tx
    .insertInto('blob_parts')
    .values(toSnake(part))
    .onConflict((conflict) => conflict.columns(['blob_id', 'number']).doUpdateSet({ size, sha256, object }))
    .execute()
  return older?.object
}

/** The stored bytes are not what they should be: all parts are to be sent again. Answers their objects. */
export async function forgetParts(tx: Tx, blobId: string): Promise<string[]> {
  const rows = await tx.deleteFrom('blob_parts').where('blob_id', '=', blobId).returning('object').execute()
  return rows.map((row) => row.object)
}

/**
 * Takes the rows of blobs that nothing refers to and nobody has touched since `before`; answers their objects. Rows that
 * somebody holds are left for the next time.
 */
export async function takeUnused(tx: Tx, before: Date, limit: number): Promise<{ id: string; objects: string[] }[]> {
  const { rows } = await sql<{ id: string; objects: string[] }>`
    with unused as (
      select id from blobs
      where touched_at < ${before}
        and not exists (select from artifacts where artifacts.blob_id = blobs.id)
        and not exists (select from cache_entries where cache_entries.blob_id = blobs.id)
      order by touched_at limit ${limit} for update skip locked
    ), gone as (
      delete from blobs using unused where blobs.id = unused.id
    )
    select unused.id, array(select object from blob_parts where blob_id = unused.id order by number) as objects
    from unused`.execute(tx)
  return rows
}
