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
