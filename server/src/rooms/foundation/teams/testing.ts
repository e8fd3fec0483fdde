import type { Queryable } from '#platform/database'
import { createIds } from '#platform/ids'
import * as store from './store.ts'

const ids = createIds(Date.now)

/** Makes the team and every missing parent; answers the id of the last. */
export async function aTeam(db: Queryable, path: string): Promise<string> {
  let parentId: string | null = null
  const parts = path.split('/')
  for (const [index, name] of parts.entries()) {
    const own = parts.slice(0, index + 1).join('/')
    const found = await store.findTeamByPath(db, own)
    const id: string = found?.id ?? ids.next()
    const at = new Date()
    if (!found) await store.insertTeam(db, { id, path: own, name, createdAt: at, updatedAt: at }, parentId)
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
  await store.insertEnvironment(db, {
    id,
    teamId,
    name: scope.slice(slash + 1),
    protected: protection.protected ?? false,
    allowedSubjects: protection.allowedSubjects ?? [],
    createdAt: at,
    updatedAt: at,
  })
  return id
}
