import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

interface Told {
  readonly channel: 'emergency_changed' | 'knowledge_item_changed'
  readonly change: 'created' | 'changed' | 'gone'
}

/** Tells open pages of a change when its transaction commits. */
export async function tellChange(
  db: Queryable,
  { channel, change }: Told,
  { teamPath, id }: { readonly teamPath: string; readonly id: string },
): Promise<void> {
  await sql`select pg_notify(${channel}, ${`${change} ${teamPath} ${id}`})`.execute(db)
}
