import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * A condition: the team path in `column` is one of the prefixes or lies below one. '/' means all, no prefix means none.
 * A range instead of LIKE, so that an index on the column (collation "C") serves it: '0' is the byte after '/'.
 */
export function withinPrefixes(column: string, prefixes: readonly string[]): RawBuilder<SqlBool> {
  if (prefixes.includes('/')) return sql<SqlBool>`true`
  if (prefixes.length === 0) return sql<SqlBool>`false`
  const name = sql.ref(column)
  const parts = prefixes.map(
    (prefix) => sql<SqlBool>`(${name} = ${prefix} or (${name} >= ${`${prefix}/`} and ${name} < ${`${prefix}0`}))`,
  )
  return sql<SqlBool>`(${sql.join(parts, sql` or `)})`
}

/** The rule of `canFromBelow` (platform/http) as a condition: the team path is a prefix or lies above one. */
export function withinOrAbove(column: string, prefixes: readonly string[]): RawBuilder<SqlBool> {
  const above = new Set(prefixes.filter((prefix) => prefix !== '/').flatMap(teamsAbove))
  const within = withinPrefixes(column, prefixes)
  if (above.size === 0) return within
  return sql<SqlBool>`(${within} or ${sql.ref(column)} in (${sql.join([...above])}))`
}

/** `acme/web/app` -> acme/web, acme, '/'. */
function teamsAbove(teamPath: string): string[] {
  const segments = teamPath.split('/')
  return ['/', ...segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))]
}
