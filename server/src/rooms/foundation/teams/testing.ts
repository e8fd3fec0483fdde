import type { Queryable } from '#platform/database'
import { createIds } from '#platform/ids'

const ids = createIds(Date.now)

/** Makes the team and every missing parent; answers the id of the last. */
export async function aTeam(db: Queryable, path: string): Promise<string> {
  let parentId: string | null = null
  const parts = path.split('/')
  for (const [index, name] of parts.entries()) {
    const own = parts.slice(0, index + 1).join('/')
    const found: { id: string } | undefined = await db
      .selectFrom('teams')
      .select('id')
      .where('path', '=', own)
      .executeTakeFirst()
    const id: string = found?.id ?? ids.next()
    if (!found) {
      const at = new Date()
      await db
        .insertInto('teams')
        .values({ id, path: own, name, parent_id: parentId, created_at: at, updated_at: at })
        .execute()
    }
    parentId = id
  }
  return parentId ?? ''
}

/** Makes the environment of `<team path>/<environment>`, and its team where it is missing. */
export async function anEnvironment(
  db: Queryable,
  scope: string,
  protection: { readonly protected?: boolean; readonly allowedSubjects?: readonly string[] } = {},
): Promise<string> {
  const slash = scope.lastIndexOf('/')
  const teamId = await aTeam(db, scope.slice(0, slash))
  const at = new Date()
  const id = ids.next()
  await db
    .insertInto('environments')
    .values({
      id,
      team_id: teamId,
      name: scope.slice(slash + 1),
      protected: protection.protected ?? false,
      allowed_subjects: [...(protection.allowedSubjects ?? [])],
      created_at: at,
      updated_at: at,
    })
    .execute()
  return id
}
