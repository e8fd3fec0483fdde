import { sql } from 'kysely'
import { type Queryable, type RowOf, type Tx, toCamel, withinPrefixes } from '#platform/database'

const COLUMNS = [
  'id',
  'run_id',
  'step',
  'task',
  'number',
  'status',
  'fence',
  'runner_id',
  'reason',
  'exit_code',
  'cancel_requested_at',
  'cancel_reason',
  'created_at',
  'leased_at',
  'started_at',
  'finished_at',
  'child_run_id',
  'images',
  'end_reported',
] as const

export type AttemptRow = RowOf<'attempts', (typeof COLUMNS)[number]>

/** The attempts of a run in the order in which they were made. */
export async function listAttempts(db: Queryable, runId: string): Promise<AttemptRow[]> {
  const query = db.selectFrom('attempts').select(COLUMNS).where('run_id', '=', runId).orderBy('id')
  return (await query.execute()).map(toCamel)
}

/** Attempts of this runner: those that are leased to it, and those with one of these fences, whatever their status. */
export async function listAssigned(db: Queryable, runnerId: string, fences: readonly number[]): Promise<AttemptRow[]> {
  const query = db
    .selectFrom('attempts')
    .select(COLUMNS)
    .where('runner_id', '=', runnerId)
    .where((where) =>
      where.or([where('status', '=', 'leased'), where('fence', '=', sql<number>`any(${fences}::bigint[])`)]),
    )
  return (await query.execute()).map(toCamel)
}

export interface Renewed {
  readonly fence: number
  readonly cancelReason: string | null
}

/** Extends the leases of these fences; a fence that is not answered is no longer this runner's. */
export async function renewLeases(
  db: Queryable,
  runnerId: string,
  fences: readonly number[],
  until: Date,
): Promise<Renewed[]> {
  const { rows } = await sql<Renewed>`
    update attempts set lease_expires_at = ${until}
    where fence = any(${fences}::bigint[]) and runner_id = ${runnerId} and status = 'leased'
    returning fence, cancel_reason as "cancelReason"`.execute(db)
  return rows
}

export interface RunnerWait {
  readonly fence: number
  readonly reason: string | null
}

/** Only before it begins: the report of its start or end decides from then on. */
export async function noteWait(db: Queryable, runnerId: string, { fence, reason }: RunnerWait): Promise<void> {
  await sql`
    with noted as (
      update attempts set reason = ${reason}
      where fence = ${fence} and runner_id = ${runnerId} and status = 'leased' and started_at is null
      returning run_id)
    select pg_notify('run_changed', run_id::text) from noted`.execute(db)
}

/** Locks those of these attempts that no runner has. */
export async function lockWaiting(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('attempts')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('status', '=', 'waiting')
    .forUpdate()
    .execute()
  return new Set(rows.map(({ id }) => id))
}

const PINNED = ['id', 'run_id', 'step', 'task', 'number', 'scope', 'requirement'] as const

/** An attempt that waits for the one runner that has the workspace of its step. */
export type PinnedAttempt = RowOf<'attempts', (typeof PINNED)[number]>

/** By an index of their own. */
export async function listPinned(db: Queryable, limit: number): Promise<PinnedAttempt[]> {
  const query = db
    .selectFrom('attempts')
    .select(PINNED)
    .where('status', '=', 'waiting')
    .where(sql<boolean>`requirement ? 'runner'`)
    .orderBy('id')
    .limit(limit)
  return (await query.execute()).map(toCamel)
}

/** After a start of the control plane, or after it could not be heard: nobody loses a lease for our silence. */
export async function renewAllLeases(db: Queryable, until: Date): Promise<void> {
  await db
    .updateTable('attempts')
    .set({ lease_expires_at: until })
    .where('status', '=', 'leased')
    .where('lease_expires_at', '<', until)
    .execute()
}

/** As renewAllLeases, for what these runners hold. */
export async function renewLeasesOf(db: Queryable, runnerIds: readonly string[], until: Date): Promise<void> {
  await db
    .updateTable('attempts')
    .set({ lease_expires_at: until })
    .where('status', '=', 'leased')
    .where('runner_id', '=', sql<string>`any(${runnerIds}::uuid[])`)
    .where('lease_expires_at', '<', until)
    .execute()
}

/**
 * The attempts among these that are past their lease. The rows are locked, so that a late heartbeat waits for the decision.
 */
export async function lockExpired(tx: Tx, ids: readonly string[], now: Date): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from attempts where id = any(${ids}::uuid[]) and status = 'leased' and lease_expires_at <= ${now}
    order by id for update`.execute(tx)
  return new Set(rows.map((row) => row.id))
}

/** A scope begins with its team's path, so the prefixes of teams are prefixes of scopes. */
export async function countWaiting(db: Queryable, prefixes: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from attempts where status = 'waiting' and ${withinPrefixes('scope', prefixes)}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Whether a runner has the attempt now, by its lease. */
export async function isInHand(db: Queryable, attemptId: string): Promise<boolean> {
  const row = await db
    .selectFrom('attempts')
    .select('id')
    .where('id', '=', attemptId)
    .where('status', '=', 'leased')
    .executeTakeFirst()
  return row !== undefined
}
