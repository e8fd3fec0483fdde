import { type Queryable, type Tx, withinPrefixes } from '#platform/database'
import type { Runner, RunnerHello } from '../rules/index.ts'
import type { EnrollmentRow, ListFilter } from './enrollments.ts'

export const RUNNER = [
  'id',
  'name',
  'team_path',
  'scopes',
  'labels',
  'offered_labels',
  'executors',
  'capacity',
  'version',
  'enabled',
  'draining',
  'leaving',
  'connected_to',
  'connected_at',
  'last_seen_at',
  'created_at',
  'updated_at',
] as const

export interface NewRunner {
  readonly id: string
  readonly enrollment: EnrollmentRow
  readonly name: string
  readonly hello: RunnerHello
  readonly credentialSha256: Buffer
  readonly at: Date
}

export async function insertRunner(db: Queryable, runner: NewRunner): Promise<void> {
  const { enrollment, hello, at } = runner
  await db
    .insertInto('runners')
    .values({
      id: runner.id,
      enrollment_id: enrollment.id,
      name: runner.name,
      team_path: enrollment.teamPath,
      scopes: [...enrollment.scopes],
      labels: [...enrollment.labels],
      offered_labels: [...hello.labels],
      executors: [...hello.executors],
      capacity: hello.capacity,
      version: hello.version,
      credential_sha256: runner.credentialSha256,
      enabled: true,
      draining: false,
      leaving: false,
      created_at: at,
      updated_at: at,
    })
    .execute()
}

export async function findRunner(db: Queryable, id: string): Promise<Runner | undefined> {
  const row = await db
    .selectFrom('runners')
    .select(RUNNER)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row && toRunner(row)
}

export async function findRunnerByCredential(db: Queryable, credentialSha256: Buffer): Promise<Runner | undefined> {
  const row = await db
    .selectFrom('runners')
    .select(RUNNER)
    .where('credential_sha256', '=', credentialSha256)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row && toRunner(row)
}

/** SHA-256 of the credentials that are valid now. */
export async function listCredentialDigests(db: Queryable): Promise<Buffer[]> {
  const rows = await db.selectFrom('runners').select('credential_sha256').where('removed_at', 'is', null).execute()
  return rows.map((row) => row.credential_sha256)
}

export async function lockRunner(tx: Tx, id: string): Promise<Runner | undefined> {
  const row = await tx
    .selectFrom('runners')
    .select(RUNNER)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row && toRunner(row)
}

export async function listRunners(db: Queryable, filter: ListFilter): Promise<Runner[]> {
  let query = db
    .selectFrom('runners')
    .select(RUNNER)
    .where('removed_at', 'is', null)
    .where(withinPrefixes('team_path', filter.prefixes))
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.teamPath) query = query.where(withinPrefixes('team_path', [filter.teamPath]))
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toRunner)
}

export async function listAllRunners(db: Queryable): Promise<Runner[]> {
  const rows = await db.selectFrom('runners').select(RUNNER).where('removed_at', 'is', null).orderBy('id').execute()
  return rows.map(toRunner)
}

export interface OperatorChange {
  readonly name: string
  readonly scopes: readonly string[]
  readonly labels: readonly string[]
  readonly enabled: boolean
  readonly draining: boolean
  readonly updatedAt: Date
}

export async function updateRunner(db: Queryable, id: string, change: OperatorChange): Promise<void> {
  await db
    .updateTable('runners')
    .set({
      name: change.name,
      scopes: [...change.scopes],
      labels: [...change.labels],
      enabled: change.enabled,
      draining: change.draining,
      updated_at: change.updatedAt,
    })
    .where('id', '=', id)
    .execute()
}

/** Its attempts name it, so the row stays; its credential opens nothing any more. */
export async function markRemoved(db: Queryable, id: string, at: Date): Promise<void> {
  await db
    .updateTable('runners')
    .set({ removed_at: at, updated_at: at, connected_to: null })
    .where('id', '=', id)
    .execute()
}

export interface RunnerColumns {
  readonly id: string
  readonly name: string
  readonly team_path: string
  readonly scopes: string[]
  readonly labels: string[]
  readonly offered_labels: string[]
  readonly executors: string[]
  readonly capacity: number
  readonly version: string
  readonly enabled: boolean
  readonly draining: boolean
  readonly leaving: boolean
  readonly connected_to: string | null
  readonly connected_at: Date | null
  readonly last_seen_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

export function toRunner(row: RunnerColumns): Runner {
  return {
    id: row.id,
    name: row.name,
    teamPath: row.team_path,
    scopes: row.scopes,
    labels: row.labels,
    offeredLabels: row.offered_labels,
    executors: row.executors,
    capacity: row.capacity,
    version: row.version,
    enabled: row.enabled,
    draining: row.draining,
    leaving: row.leaving,
    connectedTo: row.connected_to,
    connectedAt: row.connected_at,
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
