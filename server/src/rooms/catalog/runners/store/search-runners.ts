import { sql } from 'kysely'
import { type FoundByText, findByText, type Queryable, type TextWish, withinPrefixes } from '#platform/database'

/** Runners that were not removed, at and below these team paths. */
export function searchRunners(db: Queryable, prefixes: readonly string[], wish: TextWish): Promise<FoundByText[]> {
  const where = sql<boolean>`${withinPrefixes('team_path', prefixes)} and removed_at is null`
  return findByText(db, { table: 'runners', where, title: sql`name`, detail: sql`array_to_string(labels, ', ')` }, wish)
}
