import { sql } from 'kysely'
import { type FoundByText, findByText, type Queryable, type TextWish, withinPrefixes } from '#platform/database'

/** Webhook sources at and below these team paths. */
export function searchSources(db: Queryable, prefixes: readonly string[], wish: TextWish): Promise<FoundByText[]> {
  const where = withinPrefixes('team_path', prefixes)
  const text = sql<string>`(team_path || '/' || name)`
  return findByText(db, { table: 'webhook_sources', where, title: sql`name`, text, detail: sql`provider` }, wish)
}
