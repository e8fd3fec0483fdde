import { type SqlBool, sql } from 'kysely'
import { type Queryable, type RowOf, type Tx, toCamel, toSnake, withinPrefixes } from '#platform/database'
import type { Request } from '../rules/index.ts'
import { insertApprovers } from './approvers.ts'

const COLUMNS = [
  'id',
  'run_id',
  'step',
  'team_path',
  'pipeline_identifier',
  'pipeline_version_id',
  'scope',
  'initiator_kind',
  'initiator_id',
  'initiator_name',
  'repository',
  'commit_sha',
  'approvers',
  'required',
  'allow_self',
  'message',
  'fields',
  'status',
  'requested_at',
  'deadline_at',
  'remind_at',
  'decided_at',
] as const

/** Stores requests that are not there yet, and answers those: a round that is decided anew asks again. Pages hear of them. */
export async function insertRequests(tx: Tx, requests: readonly Request[]): Promise<Set<string>> {
  if (requests.length === 0) return new Set()
  const rows = requests.map(({ initiator, fields, askedBy: _, ...rest }) =>
    toSnake({
      ...rest,
      initiatorKind: initiator.kind,
      initiatorId: initiator.id,
      initiatorName: initiator.name,
      fields: JSON.stringify(fields),
    }),
  )
  const stored = await tx
    .insertInto('approval_requests')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['run_id', 'step']).doNothing())
    .returning('id')
    .execute()
  const ids = stored.map((row) => row.id)
  await insertApprovers(tx, ids)
  await tellRequests(tx, ids, 'created')
  return new Set(ids)
}

/** Open pages hear of these requests, and of their runs, when the transaction commits. */
export async function tellRequests(tx: Tx, ids: readonly string[], change: 'created' | 'changed'): Promise<void> {
  if (ids.length === 0) return
  await sql`
    select pg_notify('approval_changed', ${`${change} `} || run_id || ' ' || id), pg_notify('run_changed', run_id::text)
    from approval_requests where id = any(${ids}::uuid[])`.execute(tx)
}

export async function findRequest(db: Queryable, runId: string, step: string): Promise<Request | undefined> {
  const row = await select(db).where('run_id', '=', runId).where('step', '=', step).executeTakeFirst()
  return row && toRequest(toCamel(row))
}

/** Holds the row until the transaction ends: decisions of one request come one after the other. */
export async function lockRequest(tx: Tx, id: string): Promise<Request | undefined> {
  const row = await select(tx).where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toRequest(toCamel(row))
}

export async function listOfRun(db: Queryable, runId: string): Promise<Request[]> {
  const rows = await select(db).where('run_id', '=', runId).orderBy('id').execute()
  return rows.map((row) => toRequest(toCamel(row)))
}

/** Those of these steps that asked; the unique index on runs and steps serves it. */
export async function listOfSteps(
  db: Queryable,
  places: readonly { readonly runId: string; readonly step: string }[],
): Promise<Request[]> {
  if (places.length === 0) return []
  const [runs, steps] = [places.map(({ runId }) => runId), places.map(({ step }) => step)]
  const rows = await select(db)
    .where(sql<SqlBool>`(run_id, step) in (select * from unnest(${runs}::uuid[], ${steps}::text[]))`)
    .execute()
  return rows.map((row) => toRequest(toCamel(row)))
}

export async function listByIds(db: Queryable, ids: readonly string[]): Promise<Request[]> {
  if (ids.length === 0) return []
  const rows = await select(db)
    .where('id', 'in', [...ids])
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => toRequest(toCamel(row)))
}

/** Requests that wait at and below these team paths, counted up to `limit`. */
export async function countWaiting(db: Queryable, prefixes: readonly string[], limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from approval_requests where status = 'waiting' and ${withinPrefixes('team_path', prefixes)} limit ${limit}
    ) as waiting`.execute(db)
  return rows[0]?.count ?? 0
}

/** Decided, and not yet applied to their runs; oldest decision first. */
export async function listDecided(db: Queryable, limit: number): Promise<Request[]> {
  const rows = await select(db)
    .where('applied_at', 'is', null)
    .where('status', 'in', ['approved', 'rejected', 'timed_out'])
    .orderBy('decided_at')
    .limit(limit)
    .execute()
  return rows.map((row) => toRequest(toCamel(row)))
}

/** Ends a request that waits; dispatchers hear of it when the transaction commits. */
export async function endRequest(
  tx: Tx,
  id: string,
  status: Exclude<Request['status'], 'waiting'>,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql<{ run_id: string }>`
    with ended as (
      update approval_requests set status = ${status}, decided_at = ${at}
      where id = ${id} and status = 'waiting' returning id, run_id
    ), asked as (
      delete from approval_approvers using ended where request_id = ended.id
    )
    select run_id, pg_notify('approval_decided', run_id::text), pg_notify('run_changed', run_id::text),
      pg_notify('approval_changed', 'gone ' || run_id || ' ' || id)
    from ended`.execute(tx)
  return rows.length > 0
}

/** The run is over: nobody need decide any more. Answers how many waited. */
export async function withdrawOfRun(db: Queryable, runId: string, at: Date): Promise<number> {
  const { rows } = await sql`
    with withdrawn as (
      update approval_requests set status = 'withdrawn', decided_at = ${at}
      where run_id = ${runId} and status = 'waiting' returning id, run_id
    ), asked as (
      delete from approval_approvers using withdrawn where request_id = withdrawn.id
    )
    select id, pg_notify('approval_changed', 'gone ' || run_id || ' ' || id) from withdrawn`.execute(db)
  return rows.length
}

export async function markApplied(tx: Tx, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('approval_requests')
    .set({ applied_at: at })
    .where('id', 'in', [...ids])
    .execute()
}

/** Answers whether it waits still and was not reminded of before. */
export async function markReminded(tx: Tx, id: string, at: Date): Promise<boolean> {
  const result = await tx
    .updateTable('approval_requests')
    .set({ reminded_at: at })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .where('reminded_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

function select(db: Queryable) {
  return db.selectFrom('approval_requests').select(COLUMNS)
}

type Stored = RowOf<'approval_requests', (typeof COLUMNS)[number]>

function toRequest({ initiatorKind: kind, initiatorId: id, initiatorName: name, ...request }: Stored): Request {
  return { ...request, initiator: { kind, id, name }, askedBy: [] }
}
