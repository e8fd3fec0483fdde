import { sql } from 'kysely'
import type { Queryable, Tx } from '#platform/database'

/** Before the object is stored: unless a part names it by then, it is deleted once it is due. */
export async function expectObject(db: Queryable, object: string, dueAt: Date): Promise<void> {
  await db.insertInto('loose_objects').values({ object, due_at: dueAt }).execute()
}

/** A part names it from now on. False: it came too late, somebody deletes it or has done so. */
export async function settleObject(tx: Tx, object: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('loose_objects')
    .where('object', '=', object)
    .where('taken_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** No part names them any more. An object that is being deleted right now is deleted once more. */
export async function loosenObjects(tx: Tx, objects: readonly string[], dueAt: Date): Promise<void> {
  await sql`
    insert into loose_objects (object, due_at) select unnest(${[...objects]}::text[]), ${dueAt}
    on conflict (object) do update set due_at = excluded.due_at, taken_at = null`.execute(tx)
}

/** Some objects that are due. The caller deletes them, because no part names them any more. */
export async function takeLooseObjects(db: Queryable, at: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ object: string }>`
    update loose_objects set taken_at = ${at} where object in (
      select object from loose_objects where due_at <= ${at} order by due_at limit ${limit} for update skip locked
    ) returning object`.execute(db)
  return rows.map((row) => row.object)
}

/** After the deletion. Objects that were loosened again since they were taken stay due. */
export async function forgetLooseObjects(db: Queryable, objects: readonly string[], takenAt: Date): Promise<void> {
  await db
    .deleteFrom('loose_objects')
    .where('object', 'in', [...objects])
    .where('taken_at', '=', takenAt)
    .execute()
}
