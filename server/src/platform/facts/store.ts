import { sql } from 'kysely'
import type { Queryable, Statement } from '#platform/database'
import type { Fact } from './fact.ts'

/** One statement for all of them. */
export function recordingFacts(facts: readonly Fact[]): Statement {
  const rows = facts.map(({ occurredAt, ...fact }) => ({ ...fact, occurred_at: occurredAt }))
  return { text: RECORD_FACTS, values: [JSON.stringify(rows)] }
}

const RECORD_FACTS = `
  insert into facts (id, kind, version, payload, occurred_at)
  select id, kind, version, coalesce(payload, 'null'), occurred_at
  from json_to_recordset($1::json) as given(id uuid, kind text, version integer, payload jsonb, occurred_at timestamptz)`

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
