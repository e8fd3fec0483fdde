import { sql } from 'kysely'
import { type FoundByText, findByText, type Queryable, type TextWish, withinPrefixes } from '#platform/database'

const OF_NO_TEAM = sql<null>`null::text`

/** By login and by name; `only`: this user alone. */
export function searchUsers(db: Queryable, only: string | undefined, wish: TextWish): Promise<FoundByText[]> {
  const where = only === undefined ? sql<boolean>`true` : sql<boolean>`id = ${only}`
  const [title, detail] = [sql<string>`login`, sql<string>`name`]
  const text = sql<string>`(login || ' ' || name)`
  return findByText(db, { table: 'users', where, name: title, title, text, teamPath: OF_NO_TEAM, detail }, wish)
}

export function searchGroups(db: Queryable, wish: TextWish): Promise<FoundByText[]> {
  const title = sql<string>`name`
  return findByText(db, { table: 'groups', where: sql<boolean>`true`, title, teamPath: OF_NO_TEAM }, wish)
}

/** Service accounts at and below these team paths. */
export function searchServiceAccounts(
  db: Queryable,
  prefixes: readonly string[],
  wish: TextWish,
): Promise<FoundByText[]> {
  return findByText(db, { table: 'service_accounts', where: withinPrefixes('team_path', prefixes) }, wish)
}
