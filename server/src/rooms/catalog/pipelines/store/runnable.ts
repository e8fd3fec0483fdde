import { sql } from 'kysely'
import { findOne, type Queryable, type RowOf } from '#platform/database'

/** One version of a pipeline as a run needs it, beside its graph. */
export interface RunnableVersion extends RowOf<'pipelines', 'identifier' | 'name' | 'team_path' | 'profile_id'> {
  readonly pipelineId: string
  readonly versionId: string
  readonly version: number
  /** Profiles that steps and tasks of the current version name: name in the document to id. */
  readonly profiles: Readonly<Record<string, string>>
}

/** The current version of a live pipeline. */
export async function findRunnable(db: Queryable, identifier: string): Promise<RunnableVersion | undefined> {
  return findOne(
    runnable(db)
      .whereRef('v.version', '=', 'pipelines.version')
      .where('pipelines.identifier', '=', identifier)
      .where('pipelines.deleted_at', 'is', null),
  )
}

/** Any version, also of a pipeline that was deleted. */
export async function findRunnableVersion(db: Queryable, versionId: string): Promise<RunnableVersion | undefined> {
  return findOne(runnable(db).where('v.id', '=', versionId))
}

function runnable(db: Queryable) {
  return db
    .selectFrom('pipelines')
    .innerJoin('pipeline_versions as v', 'v.pipeline_id', 'pipelines.id')
    .select(['pipelines.identifier', 'pipelines.name', 'pipelines.team_path', 'pipelines.profile_id'])
    .select(['v.pipeline_id', 'v.id as version_id', 'v.version'])
    .select(
      sql<Record<string, string>>`coalesce((select jsonb_object_agg(p.name, p.profile_id)
        from pipeline_profiles p where p.pipeline_id = pipelines.id), '{}')`.as('profiles'),
    )
}
