import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

/** A manifest that was read before; the content of a blob never changes. */
export async function findManifest(
  db: Queryable,
  repository: string,
  blobId: string,
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .updateTable('repository_manifests')
    .set({ used_at: now })
    .where('repository', '=', repository.toLowerCase())
    .where('blob_id', '=', blobId)
    .returning('text')
    .executeTakeFirst()
  return row?.text
}

export async function keepManifest(
  db: Queryable,
  manifest: { readonly repository: string; readonly blobId: string; readonly text: string; readonly usedAt: Date },
): Promise<void> {
  const { repository, blobId, text, usedAt } = manifest
  await db
    .insertInto('repository_manifests')
    .values({ repository: repository.toLowerCase(), blob_id: blobId, text, used_at: usedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** At most `limit` at a time. Answers how many went. */
export async function dropManifests(db: Queryable, unusedSince: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from repository_manifests where (repository, blob_id) in
      (select repository, blob_id from repository_manifests where used_at < ${unusedSince} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
