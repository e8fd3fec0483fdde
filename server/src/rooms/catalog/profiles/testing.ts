import type { Queryable } from '#platform/database'
import { createIds } from '#platform/ids'
import { DEFAULT_CONTENT, type ProfileContent, splitProfileName } from './rules.ts'
import * as store from './store.ts'

const ids = createIds(Date.now)

/** Stores `<team path>/<name>` of a team that exists; answers its id. */
export async function aProfile(
  db: Queryable,
  identifier: string,
  content: Partial<ProfileContent> = {},
): Promise<string> {
  const { teamPath, name } = splitProfileName(identifier)
  if (teamPath === undefined) throw new Error('aProfile wants <team path>/<name>')
  const id = ids.next()
  const at = new Date()
  await store.insertProfile(db, { ...DEFAULT_CONTENT, ...content, id, teamPath, name, createdAt: at, updatedAt: at })
  return id
}
