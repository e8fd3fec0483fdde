import type { SubjectListQuery } from '@signalbox/contracts/access'
import { type Caller, type Page, readCursor, toPage } from '#platform/http'
import { platformProblem } from '#platform/problems'
import * as store from '../store/users.ts'
import type { AccessMeans } from './change-access.ts'

export type { UserRow } from '../store/users.ts'

const DEFAULT_LIMIT = 50

/** Whoever may read users anywhere sees all of them: users belong to no team. Everybody sees themselves. */
export function maySeeUsers(caller: Caller): boolean {
  return caller.prefixes('user.read').length > 0
}

export async function getVisibleUser(means: AccessMeans, caller: Caller, id: string): Promise<store.UserRow> {
  const visible = maySeeUsers(caller) || (caller.kind === 'user' && caller.id === id)
  const user = visible ? await store.findUser(means.kit.database.kysely, id) : undefined
  if (!user) throw platformProblem('not_found', 'There is no such user, or you may not see them.')
  return user
}

export async function listUsers(
  means: AccessMeans,
  caller: Caller,
  query: SubjectListQuery,
): Promise<Page<store.UserRow>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const db = means.kit.database.kysely
  const before = readCursor(query.cursor)
  if (maySeeUsers(caller)) return toPage(await store.listUsers(db, { before, limit: limit + 1 }), limit)
  const self = caller.kind === 'user' ? await store.findUser(db, caller.id) : undefined
  return { items: self && (before === undefined || self.id < before) ? [self] : [], next: undefined }
}
