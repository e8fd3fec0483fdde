import { sql } from 'kysely'
import { type Queryable, type RowOf, type Tx, toCamel } from '#platform/database'
import { lowestIdOf } from '#platform/ids'
import type { StatusPlace } from './commit-statuses.ts'

export type ReportKind = RowOf<'run_reports', 'kind'>['kind']

/** One run as it is told of. */
export interface RunReport {
  readonly runId: string
  readonly kind: ReportKind
  readonly place: StatusPlace
}

/** Where the telling of a run stood before. */
export type ReportBefore = RowOf<'run_reports', 'check_id' | 'creating' | 'told'>

/** From now on nobody knows what the provider shows, until `endReport`. Answers what was known. */
export async function beginReport(tx: Tx, report: RunReport): Promise<ReportBefore> {
  await insertReport(tx, report)
  const before = await tx
    .selectFrom('run_reports')
    .select(['check_id', 'creating', 'told'])
    .where('run_id', '=', report.runId)
    .where('kind', '=', report.kind)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('run_reports')
    .set({ told: null, creating: report.kind === 'check' && before.check_id === null })
    .where('run_id', '=', report.runId)
    .where('kind', '=', report.kind)
    .execute()
  return toCamel(before)
}

async function insertReport(db: Queryable, { runId, kind, place }: RunReport): Promise<void> {
  await db
    .insertInto('run_reports')
    .values({
      run_id: runId,
      kind,
      source_id: place.sourceId,
      repository: place.repository.toLowerCase(),
      commit_sha: place.commitSha,
      context: place.context,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export interface ToldReport {
  readonly state: string
  readonly told: string
  readonly at: Date
}

/** The provider took it. */
export async function endReport(
  db: Queryable,
  { runId, kind }: Pick<RunReport, 'runId' | 'kind'>,
  { state, told, at }: ToldReport,
): Promise<void> {
  await db
    .updateTable('run_reports')
    .set({ state, told, told_at: at, creating: false, given_up_reason: null, given_up_at: null })
    .where('run_id', '=', runId)
    .where('kind', '=', kind)
    .execute()
}

/** Nothing had to be told: what was known holds on. */
export async function keepReport(
  db: Queryable,
  { runId, kind }: Pick<RunReport, 'runId' | 'kind'>,
  { told, creating }: ReportBefore,
): Promise<void> {
  await db
    .updateTable('run_reports')
    .set({ told, creating })
    .where('run_id', '=', runId)
    .where('kind', '=', kind)
    .execute()
}

export async function keepCheckId(db: Queryable, runId: string, checkId: string): Promise<void> {
  await db
    .updateTable('run_reports')
    .set({ check_id: checkId, creating: false })
    .where('run_id', '=', runId)
    .where('kind', '=', 'check')
    .execute()
}

export async function giveUpReport(db: Queryable, report: RunReport, reason: string, at: Date): Promise<void> {
  await insertReport(db, report)
  await db
    .updateTable('run_reports')
    .set({ given_up_reason: reason, given_up_at: at })
    .where('run_id', '=', report.runId)
    .where('kind', '=', report.kind)
    .execute()
}

export type CheckRow = RowOf<
  'run_reports',
  'run_id' | 'source_id' | 'repository' | 'commit_sha' | 'context' | 'check_id' | 'state' | 'annotated' | 'annotating'
>

const CHECK_COLUMNS = [
  'run_id',
  'source_id',
  'repository',
  'commit_sha',
  'context',
  'check_id',
  'state',
  'annotated',
  'annotating',
] as const

export async function findCheck(db: Queryable, runId: string): Promise<CheckRow | undefined> {
  const row = await db
    .selectFrom('run_reports')
    .select(CHECK_COLUMNS)
    .where('run_id', '=', runId)
    .where('kind', '=', 'check')
    .executeTakeFirst()
  return row && toCamel(row)
}

/** The newest check of each context of a commit. */
export async function listChecksOf(db: Queryable, place: Omit<StatusPlace, 'context'>): Promise<readonly CheckRow[]> {
  const rows = await db
    .selectFrom('run_reports')
    .distinctOn('context')
    .select(CHECK_COLUMNS)
    .where('source_id', '=', place.sourceId)
    .where('repository', '=', place.repository.toLowerCase())
    .where('commit_sha', '=', place.commitSha)
    .where('kind', '=', 'check')
    .orderBy('context')
    .orderBy('run_id', 'desc')
    .execute()
  return rows.map((row) => toCamel(row))
}

/** `annotating`: a call is under way, and nobody knows how many the provider has until it is answered. */
export async function noteAnnotations(
  db: Queryable,
  runId: string,
  { annotated, annotating }: { readonly annotated: number; readonly annotating: boolean },
): Promise<void> {
  await db
    .updateTable('run_reports')
    .set({ annotated, annotating })
    .where('run_id', '=', runId)
    .where('kind', '=', 'check')
    .execute()
}

export type StoredReport = RowOf<
  'run_reports',
  'kind' | 'context' | 'state' | 'told_at' | 'given_up_reason' | 'given_up_at' | 'annotated'
>

export async function listReports(db: Queryable, runId: string): Promise<readonly StoredReport[]> {
  const rows = await db
    .selectFrom('run_reports')
    .select(['kind', 'context', 'state', 'told_at', 'given_up_reason', 'given_up_at', 'annotated'])
    .where('run_id', '=', runId)
    .orderBy('kind')
    .execute()
  return rows.map((row) => toCamel(row))
}

/** Of runs that were queued before the instant, at most `limit`. Answers how many went. */
export async function dropReports(db: Queryable, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from run_reports where ctid = any (array(
      select ctid from run_reports where run_id < ${lowestIdOf(before.getTime())}
      order by run_id limit ${limit}))`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

export async function dropReportsOf(db: Queryable, sourceId: string, limit: number): Promise<number> {
  const result = await sql`
    delete from run_reports where ctid = any (array(
      select ctid from run_reports where source_id = ${sourceId} limit ${limit}))`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
