import { sql } from 'kysely'
import { type FoundByText, findByText, type Queryable, type TextWish, withinPrefixes } from '#platform/database'

/** Triggers at and below these team paths. */
export function searchTriggers(db: Queryable, prefixes: readonly string[], wish: TextWish): Promise<FoundByText[]> {
  const where = withinPrefixes('team_path', prefixes)
  return findByText(db, { table: 'triggers', where, detail: sql`pipeline`, isLowerCase: true }, wish)
}
