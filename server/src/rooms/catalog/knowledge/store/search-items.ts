import { sql } from 'kysely'
import {
  type FoundByText,
  findByText,
  type Queryable,
  type TextWish,
  withinOrAbove,
  withinPrefixes,
} from '#platform/database'

/** Items at and below these team paths, and those of the teams above them, which bind them. */
export function searchItems(
  db: Queryable,
  { prefixes, within }: { readonly prefixes: readonly string[]; readonly within: readonly string[] },
  wish: TextWish,
): Promise<FoundByText[]> {
  const where = sql<boolean>`${withinOrAbove('team_path', prefixes)} and ${withinPrefixes('team_path', within)}`
  return findByText(db, { table: 'knowledge_items', where, detail: sql`kind` }, wish)
}
