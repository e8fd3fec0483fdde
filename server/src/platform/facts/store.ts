import { sql } from 'kysely'
import type { Queryable } from '#platform/database'
import type { Fact } from './index.ts'

export async function recordFacts(db: Queryable, facts: readonly Fact[]): Promise<void> {
  await db
    .insertInto('facts')
    .values(
      facts.map((fact) => ({
        id: fact.id,
        kind: fact.kind,
        version: fact.version,
        payload: JSON.stringify(fact.payload),
        occurred_at: fact.occurredAt,
      })),
    )
    .execute()
}

export async function findFact(db: Queryable, id: string): Promise<Fact | undefined> {
  const row = await db
    .selectFrom('facts')
    .select(['id', 'kind', 'version', 'payload', 'occurred_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  return { id: row.id, kind: row.kind, version: row.version, payload: row.payload, occurredAt: row.occurred_at }
}

/** At most `limit` of those below an id, by the primary key, so that no transaction grows long. Answers how many went. */
export async function dropFacts(db: Queryable, belowId: string, limit: number): Promise<number> {
  const result = await sql`
    delete from facts where id in (select id from facts where id < ${belowId} order by id limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
