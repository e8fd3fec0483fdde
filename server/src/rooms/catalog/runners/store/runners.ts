import { findOne, type Queryable, type Tx, toCamel, toSnake, withinPrefixes } from '#platform/database'
import type { Window } from '#platform/http'
import type { Runner, RunnerHello } from '../rules/index.ts'
import type { EnrollmentRow } from './enrollments.ts'

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
  const { id, name, enrollment, hello, credentialSha256, at } = runner
  const { id: enrollmentId, teamPath, scopes, labels } = enrollment
  const state = { enabled: true, draining: false, leaving: false, createdAt: at, updatedAt: at }
  const offered = { ...hello, labels, offeredLabels: hello.labels }
  await db
    .insertInto('runners')
    .values(toSnake({ id, enrollmentId, name, teamPath, scopes, ...offered, credentialSha256, ...state }))
    .execute()
}

export async function findRunner(db: Queryable, id: string): Promise<Runner | undefined> {
  return findOne(kept(db).where('id', '=', id))
}

export async function findRunnerByCredential(db: Queryable, credentialSha256: Buffer): Promise<Runner | undefined> {
  return findOne(kept(db).where('credential_sha256', '=', credentialSha256))
}

/** SHA-256 of the credentials that are valid now. */
export async function listCredentialDigests(db: Queryable): Promise<Buffer[]> {
  const rows = await db.selectFrom('runners').select('credential_sha256').where('removed_at', 'is', null).execute()
  return rows.map((row) => row.credential_sha256)
}

export async function lockRunner(tx: Tx, id: string): Promise<Runner | undefined> {
  return findOne(kept(tx).where('id', '=', id).forUpdate())
}

export interface RunnerFilter extends Window {
  readonly prefixes: readonly string[]
  readonly teamPath: string | undefined
}

export async function listRunners(db: Queryable, filter: RunnerFilter): Promise<Runner[]> {
  let query = kept(db).where(withinPrefixes('team_path', filter.prefixes)).orderBy('id', 'desc').limit(filter.limit)
  if (filter.teamPath) query = query.where(withinPrefixes('team_path', [filter.teamPath]))
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toCamel)
}

export async function listAllRunners(db: Queryable): Promise<Runner[]> {
  const rows = await kept(db).orderBy('id').execute()
  return rows.map(toCamel)
}

/** The columns that an operator changes. */
export type RunnerUpdate = Pick<Runner, 'name' | 'scopes' | 'labels' | 'enabled' | 'draining' | 'updatedAt'>

export async function updateRunner(db: Queryable, id: string, change: RunnerUpdate): Promise<void> {
  await db.updateTable('runners').set(toSnake(change)).where('id', '=', id).execute()
}

/** The row stays, because attempts name it; its credential is no longer valid. */
export async function markRemoved(db: Queryable, id: string, at: Date): Promise<void> {
  await db
    .updateTable('runners')
    .set({ removed_at: at, updated_at: at, connected_to: null })
    .where('id', '=', id)
    .execute()
}

/** Runners that were not removed. */
function kept(db: Queryable) {
  return db.selectFrom('runners').select(RUNNER).where('removed_at', 'is', null)
}
