import { sql } from 'kysely'
import { type FoundByText, findByText, type Queryable, type TextWish, withinPrefixes } from '#platform/database'

/** Live pipelines at and below these team paths. */
export function searchPipelines(db: Queryable, prefixes: readonly string[], wish: TextWish): Promise<FoundByText[]> {
  const where = sql<boolean>`${withinPrefixes('team_path', prefixes)} and deleted_at is null`
  return findByText(db, { table: 'pipelines', where, title: sql`identifier`, isLowerCase: true }, wish)
}
