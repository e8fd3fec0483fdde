import { sql } from 'kysely'
import { type FoundByText, findByText, type Queryable, type TextWish, withinPrefixes } from '#platform/database'

/** Schedules at and below these team paths. */
export function searchSchedules(db: Queryable, prefixes: readonly string[], wish: TextWish): Promise<FoundByText[]> {
  const where = withinPrefixes('team_path', prefixes)
  return findByText(db, { table: 'schedules', where, detail: sql`pipeline`, isLowerCase: true }, wish)
}
