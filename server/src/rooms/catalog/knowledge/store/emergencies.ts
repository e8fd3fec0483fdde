import type { Selectable } from 'kysely'
import { type DB, type Queryable, type Tx, withinPrefixes } from '#platform/database'
import type { Actor, Emergency } from '../rules/index.ts'

export async function insertEmergency(db: Queryable, emergency: Emergency): Promise<void> {
  await db
    .insertInto('emergencies')
    .values({
      id: emergency.id,
      scope: emergency.scope,
      team_path: emergency.teamPath,
      reason: emergency.reason,
      declared_kind: emergency.declaredBy.kind,
      declared_id: emergency.declaredBy.id,
      declared_by: emergency.declaredBy.name,
      declared_at: emergency.declaredAt,
    })
    .execute()
}

export async function markLifted(
  db: Queryable,
  id: string,
  lifted: { readonly by: Actor; readonly at: Date; readonly reason: string | null },
): Promise<void> {
  await db
    .updateTable('emergencies')
    .set({
      lifted_kind: lifted.by.kind,
      lifted_id: lifted.by.id,
      lifted_by: lifted.by.name,
      lifted_at: lifted.at,
      lift_reason: lifted.reason,
    })
    .where('id', '=', id)
    .execute()
}

export async function findEmergency(db: Queryable, id: string): Promise<Emergency | undefined> {
  const row = await db.selectFrom('emergencies').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toEmergency(row)
}

/** Holds it until the transaction ends, so that it is lifted once. */
export async function lockEmergency(tx: Tx, id: string): Promise<Emergency | undefined> {
  const row = await tx.selectFrom('emergencies').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toEmergency(row)
}

export interface EmergencyFilter {
  /** Those that lie under these teams and teams below. */
  readonly prefixes: readonly string[]
  /** Those that lie under exactly these teams as well. */
  readonly teams: readonly string[]
  readonly active: boolean | undefined
  readonly before: string | undefined
  readonly limit: number
}

export async function listEmergencies(db: Queryable, filter: EmergencyFilter): Promise<Emergency[]> {
  let query = db
    .selectFrom('emergencies')
    .selectAll()
    .where((where) =>
      where.or([
        withinPrefixes('team_path', filter.prefixes),
        ...(filter.teams.length > 0 ? [where('team_path', 'in', [...filter.teams])] : []),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.active !== undefined) query = query.where('lifted_at', filter.active ? 'is' : 'is not', null)
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toEmergency)
}

function toEmergency(row: Selectable<DB['emergencies']>): Emergency {
  const { lifted_kind: kind, lifted_id: id, lifted_by: name } = row
  return {
    id: row.id,
    scope: row.scope,
    teamPath: row.team_path,
    reason: row.reason,
    declaredBy: { kind: row.declared_kind, id: row.declared_id, name: row.declared_by },
    declaredAt: row.declared_at,
    liftedBy: kind === null || id === null || name === null ? null : { kind, id, name },
    liftedAt: row.lifted_at,
    liftReason: row.lift_reason,
  }
}
