import { sql } from 'kysely'
import { findOne, type Queryable, type RowOf, type Tx, toCamel, toSnake } from '#platform/database'

const COLUMNS = [
  'artifacts.id',
  'artifacts.run_id',
  'artifacts.attempt_id',
  'artifacts.step',
  'artifacts.task',
  'artifacts.name',
  'artifacts.team_path',
  'artifacts.blob_id',
  'artifacts.files',
  'artifacts.size',
  'artifacts.created_at',
  'artifacts.expires_at',
  'blobs.sha256',
] as const

export type NewArtifact = RowOf<'artifacts'>
export type ArtifactRow = NewArtifact & RowOf<'blobs', 'sha256'>

/** Answers the artifact of this attempt and name; an existing one stays as it is. */
export async function insertArtifact(tx: Tx, artifact: NewArtifact): Promise<ArtifactRow> {
  await tx
    .insertInto('artifacts')
    .values(toSnake(artifact))
    .onConflict((conflict) => conflict.columns(['attempt_id', 'name']).doNothing())
    .execute()
  const { attemptId, name } = artifact
  return toCamel(
    await select(tx).where('attempt_id', '=', attemptId).where('name', '=', name).executeTakeFirstOrThrow(),
  )
}

export async function findArtifact(db: Queryable, id: string): Promise<ArtifactRow | undefined> {
  return findOne(select(db).where('artifacts.id', '=', id))
}

export async function listOfRun(db: Queryable, runId: string): Promise<ArtifactRow[]> {
  const rows = await select(db)
    .where('run_id', '=', runId)
    .orderBy('step')
    .orderBy('task')
    .orderBy('artifacts.id')
    .limit(5000)
    .execute()
  return rows.map(toCamel)
}

/** False: it is gone already. */
export async function deleteArtifact(db: Queryable, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('artifacts').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
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
  return db.selectFrom('artifacts').innerJoin('blobs', 'blobs.id', 'artifacts.blob_id').select(COLUMNS)
}
