import type { Principal } from '@signalbox/contracts/http'
import { type Queryable, type RowOf, type Tx, toCamel, toSnake, withinOrAbove } from '#platform/database'
import type { Window } from '#platform/http'
import type { Emergency } from '../rules/index.ts'
import { tellChange } from './tell.ts'

export async function insertEmergency(db: Queryable, emergency: Emergency): Promise<void> {
  const { id, scope, teamPath, reason, declaredBy, declaredAt } = emergency
  const by = { declaredKind: declaredBy.kind, declaredId: declaredBy.id, declaredBy: declaredBy.name }
  await db
    .insertInto('emergencies')
    .values(toSnake({ id, scope, teamPath, reason, ...by, declaredAt }))
    .execute()
  await tellChange(db, { channel: 'emergency_changed', change: 'created' }, emergency)
}

export async function markLifted(
  db: Queryable,
  emergency: Pick<Emergency, 'id' | 'teamPath'>,
  { by, at, reason }: { readonly by: Principal; readonly at: Date; readonly reason: string | null },
): Promise<void> {
  await db
    .updateTable('emergencies')
    .set({ lifted_kind: by.kind, lifted_id: by.id, lifted_by: by.name, lifted_at: at, lift_reason: reason })
    .where('id', '=', emergency.id)
    .execute()
  await tellChange(db, { channel: 'emergency_changed', change: 'changed' }, emergency)
}

export async function findEmergency(db: Queryable, id: string): Promise<Emergency | undefined> {
  const row = await db.selectFrom('emergencies').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toEmergency(toCamel(row))
}

/** Locks the row until the transaction ends, so that an emergency is lifted once. */
export async function lockEmergency(tx: Tx, id: string): Promise<Emergency | undefined> {
  const row = await tx.selectFrom('emergencies').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toEmergency(toCamel(row))
}

export interface EmergencyFilter extends Window {
  /** Emergencies of these teams, of those below and of those above. */
  readonly prefixes: readonly string[]
  readonly active: boolean | undefined
}

export async function listEmergencies(db: Queryable, filter: EmergencyFilter): Promise<Emergency[]> {
  let query = db
    .selectFrom('emergencies')
    .selectAll()
    .where(withinOrAbove('team_path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.active !== undefined) query = query.where('lifted_at', filter.active ? 'is' : 'is not', null)
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return (await query.execute()).map((row) => toEmergency(toCamel(row)))
}

function toEmergency(row: RowOf<'emergencies'>): Emergency {
  const { declaredKind, declaredId, declaredBy, liftedKind, liftedId, liftedBy, ...rest } = row
  return {
    ...rest,
    declaredBy: { kind: declaredKind, id: declaredId, name: declaredBy },
    liftedBy:
      liftedKind === null || liftedId === null || liftedBy === null
        ? null
        : { kind: liftedKind, id: liftedId, name: liftedBy },
  }
}
