import type { Queryable } from '#platform/database'

/** Sets the profiles that steps and tasks of a pipeline's current version name: name in the document to id. */
export async function replaceProfiles(
  db: Queryable,
  pipelineId: string,
  profiles: Readonly<Record<string, string>>,
): Promise<void> {
  await db.deleteFrom('pipeline_profiles').where('pipeline_id', '=', pipelineId).execute()
  const rows = Object.entries(profiles).map(([name, id]) => ({ pipeline_id: pipelineId, name, profile_id: id }))
  if (rows.length > 0) await db.insertInto('pipeline_profiles').values(rows).execute()
}
