import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '../database/index.ts'

/** How many rows the nodes of the statement's plan look at, those included that they pass over. Runs the statement. */
export async function countRowsRead(db: Queryable, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': unknown }>`explain (analyze, format json) ${query}`.execute(db)
  return rowsRead(rows[0]?.['QUERY PLAN'])
}

function rowsRead(plan: unknown): number {
  if (Array.isArray(plan)) return plan.reduce((sum: number, part) => sum + rowsRead(part), 0)
  if (typeof plan !== 'object' || plan === null) return 0
  const nodes = Object.entries(plan)
  const count = (name: string): number => Number(nodes.find(([key]) => key === name)?.[1] ?? 0)
  const own = (count('Actual Rows') + count('Rows Removed by Filter')) * count('Actual Loops')
  return nodes.reduce((sum, [, value]) => sum + rowsRead(value), own)
}
