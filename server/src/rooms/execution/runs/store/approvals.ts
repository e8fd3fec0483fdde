import type { Principal } from '@signalbox/contracts/http'
import { type Selectable, sql } from 'kysely'
import { type DB, type Queryable, type Tx, withinPrefixes } from '#platform/database'

const COLUMNS = [
  'name',
  'decision',
  'subject_kind',
  'subject_id',
  'subject_name',
  'comment',
  'commit_sha',
  'decided_at',
] as const

export type ApprovalRow = Readonly<Pick<Selectable<DB['run_approvals']>, (typeof COLUMNS)[number]>>

export function listApprovals(db: Queryable, runId: string): Promise<ApprovalRow[]> {
  return db.selectFrom('run_approvals').select(COLUMNS).where('run_id', '=', runId).orderBy('decided_at').execute()
}

export function findApproval(db: Queryable, runId: string, name: string): Promise<ApprovalRow | undefined> {
  return db
    .selectFrom('run_approvals')
    .select(COLUMNS)
    .where('run_id', '=', runId)
    .where('name', '=', name)
    .executeTakeFirst()
}

export async function insertApproval(tx: Tx, runId: string, approval: ApprovalRow): Promise<void> {
  await tx
    .insertInto('run_approvals')
    .values((eb) => ({
      run_id: runId,
      ...approval,
      team_path: eb.selectFrom('runs').select('team_path').where('id', '=', runId),
    }))
    .execute()
}

/** Where a run stands whose approval is asked for. */
export interface HeldRow {
  readonly status: string
  readonly withheld: string | null
  readonly commit_sha: string | null
}

/** Holds the row until the transaction ends, so that nothing else is decided about the run meanwhile. */
export async function lockHeld(tx: Tx, id: string): Promise<HeldRow | undefined> {
  const { rows } = await sql<HeldRow>`
    select status, withheld, commit_sha from runs where id = ${id} for update`.execute(tx)
  return rows[0]
}

/** The run enters the queue; dispatchers hear of it when the transaction commits. */
export async function clearHold(tx: Tx, id: string): Promise<void> {
  await sql`
    with cleared as (
      update runs set withheld = null, queue_deadline_at = now() + queue_timeout_ms * interval '1 millisecond'
      where id = ${id} and status = 'queued' and withheld = 'fork_approval'
      returning id, lane
    )
    select pg_notify('runs_queued', lane), pg_notify('run_changed', id::text),
      pg_notify('approval_changed', 'gone ' || id || ' fork')
    from cleared`.execute(tx)
}

/** A run of a pull request from a fork that waits for a member. */
export interface HeldRun {
  readonly id: string
  readonly pipeline: string
  readonly teamPath: string
  readonly scope: string
  readonly repository: string | null
  readonly commitSha: string | null
  readonly pullRequest: number | null
  readonly initiatorKind: Principal['kind']
  readonly initiatorId: string
  readonly initiatorName: string
  readonly queuedAt: Date
}

export interface HeldFilter {
  /** Team paths at and below which it may lie; '/' is everywhere. */
  readonly prefixes: readonly string[]
  readonly before: string | undefined
  readonly limit: number
}

/** Newest first, by the index of withheld runs. */
export async function listHeldForks(db: Queryable, filter: HeldFilter): Promise<HeldRun[]> {
  const { rows } = await sql<HeldRun>`
    select id, pipeline_identifier as pipeline, team_path as "teamPath", scope, repository, commit_sha as "commitSha",
      pull_request as "pullRequest", initiator_kind as "initiatorKind", initiator_id as "initiatorId",
      initiator_name as "initiatorName", queued_at as "queuedAt"
    from runs
    where status = 'queued' and withheld = 'fork_approval' and ${withinPrefixes('team_path', filter.prefixes)}
      and (${filter.before ?? null}::uuid is null or id < ${filter.before ?? null}::uuid)
    order by id desc limit ${filter.limit}`.execute(db)
  return rows
}
