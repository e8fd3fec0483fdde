import { sql } from 'kysely'
import type { Queryable, Tx } from '#platform/database'

export interface ArtifactRow {
  readonly id: string
  readonly runId: string
  readonly attemptId: string
  readonly step: string
  readonly task: string
  readonly name: string
  readonly teamPath: string
  readonly blobId: string
  readonly sha256: string
  readonly files: number
  readonly size: number
  readonly createdAt: Date
  readonly expiresAt: Date
}

export type NewArtifact = Omit<ArtifactRow, 'sha256'>

/** Answers the one that is there: a repetition of the same attempt and name changes nothing. */
export async function insertArtifact(tx: Tx, artifact: NewArtifact): Promise<ArtifactRow> {
  await tx
    .insertInto('artifacts')
    .values({
      id: artifact.id,
      run_id: artifact.runId,
      attempt_id: artifact.attemptId,
      step: artifact.step,
      task: artifact.task,
      name: artifact.name,
      team_path: artifact.teamPath,
      blob_id: artifact.blobId,
      files: artifact.files,
      size: artifact.size,
      created_at: artifact.createdAt,
      expires_at: artifact.expiresAt,
    })
    .onConflict((conflict) => conflict.columns(['attempt_id', 'name']).doNothing())
    .execute()
  return select(tx)
    .where('attempt_id', '=', artifact.attemptId)
    .where('name', '=', artifact.name)
    .executeTakeFirstOrThrow()
}

export function findArtifact(db: Queryable, id: string): Promise<ArtifactRow | undefined> {
  return select(db).where('artifacts.id', '=', id).executeTakeFirst()
}

export function listOfRun(db: Queryable, runId: string): Promise<ArtifactRow[]> {
  return select(db)
    .where('run_id', '=', runId)
    .orderBy('step')
    .orderBy('task')
    .orderBy('artifacts.id')
    .limit(5000)
    .execute()
}

export async function deleteArtifact(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('artifacts').where('id', '=', id).execute()
}

/** Answers how many went. */
export async function dropExpired(db: Queryable, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from artifacts where id in (
      select id from artifacts where expires_at < ${now} order by expires_at limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export async function sumArtifacts(db: Queryable, teamPath: string): Promise<number> {
  const row = await db
    .selectFrom('artifacts')
    .select(sql<string>`coalesce(sum(size), 0)`.as('bytes'))
    .where('team_path', '=', teamPath)
    .executeTakeFirstOrThrow()
  return Number(row.bytes)
}

function select(db: Queryable) {
  return db
    .selectFrom('artifacts')
    .innerJoin('blobs', 'blobs.id', 'artifacts.blob_id')
    .select([
      'artifacts.id',
      'artifacts.run_id as runId',
      'artifacts.attempt_id as attemptId',
      'artifacts.step',
      'artifacts.task',
      'artifacts.name',
      'artifacts.team_path as teamPath',
      'artifacts.blob_id as blobId',
      'blobs.sha256',
      'artifacts.files',
      'artifacts.size',
      'artifacts.created_at as createdAt',
      'artifacts.expires_at as expiresAt',
    ])
}
