import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * For `with recursive`: CTEs that end in `paths (path)`, the team paths at and below the prefixes of which `table` has rows that fulfil
 * the condition. '/' is everywhere. A loose index scan: it costs one look for each path, so the table has an index that
 * begins with `team_path` and holds the rows of the condition.
 */
export function teamPathsOf(
  table: string,
  prefixes: readonly string[],
  condition: RawBuilder<SqlBool> = sql<SqlBool>`true`,
): RawBuilder<unknown> {
  const rows = sql.table(table)
  // '0' is the byte after '/', and '~' is behind every path.
  return sql`ranges as (
      select case prefix when '/' then '' else prefix || '/' end as low, case prefix when '/' then '~' else prefix || '0' end as high
      from unnest(${[...new Set(prefixes)]}::text[]) as prefix
    ), below as (
      select low, high, (select team_path from ${rows} where team_path >= low and team_path < high and ${condition}
        order by team_path limit 1) as path from ranges
      union all
      select low, high, (select team_path from ${rows} where team_path > below.path and team_path < high and ${condition}
        order by team_path limit 1) from below where below.path is not null
    ), paths as (
      select unnest(${prefixes.filter((prefix) => prefix !== '/')}::text[]) as path
      union
      select path from below where path is not null
    )`
}
