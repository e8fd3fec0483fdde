import { type Queryable, type RowOf, type Statement, toCamel, toSnake } from '#platform/database'
import type { LearntName, RepositoryName } from '../rules/index.ts'

/** Raised in the transaction of each change of a name. */
export async function readRevision(db: Queryable): Promise<number> {
  return (await readRevisions(db)).revision
}

/** `completeSince`: a reader with an older revision must read all names anew, as some were deleted. */
export async function readRevisions(
  db: Queryable,
): Promise<RowOf<'repository_names_revision', 'revision' | 'complete_since'>> {
  return toCamel(
    await db.selectFrom('repository_names_revision').select(['revision', 'complete_since']).executeTakeFirstOrThrow(),
  )
}

/** The changes after the revision, in order, at most `limit`. */
export async function listChanged(db: Queryable, after: number, limit: number): Promise<readonly RepositoryName[]> {
  const rows = await db
    .selectFrom('repository_names')
    .select(['source_id', 'name', 'repository_id', 'contested', 'since', 'revision'])
    .where('revision', '>', after)
    .orderBy('revision')
    .limit(limit)
    .execute()
  return rows.map(toCamel)
}

/**
 * Part of the group commit, and its last statement: the holder of the revision's row then waits for nothing. No name
 * may come twice.
 */
export function learnNames(names: readonly (LearntName & { readonly contested: boolean })[]): Statement {
  return { text: LEARN_NAMES, values: [JSON.stringify(names.map(toSnake))] }
}

const LEARN_NAMES = `
  insert into repository_names as held (source_id, name, repository_id, contested, since)
  select source_id, name, repository_id, contested, since
  from json_populate_recordset(null::repository_names, $1::json)
  on conflict (source_id, lower(name)) do update
    set contested = excluded.contested or held.repository_id <> excluded.repository_id, since = excluded.since
    where not held.contested`

/** Of a source that is gone, or whose ids are of another provider now. */
export async function forgetNames(db: Queryable, sourceId: string): Promise<void> {
  await db.deleteFrom('repository_names').where('source_id', '=', sourceId).execute()
}
