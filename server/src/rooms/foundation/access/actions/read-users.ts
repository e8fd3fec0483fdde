import type { SubjectListQuery, User } from '@signalbox/contracts/access'
import type { Tx } from '#platform/database'
import { type Caller, type Page, pageOf, toWire } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import * as store from '../store/users.ts'

/** Users belong to no team: callers who may read users anywhere see all of them. Everybody sees themselves. */
export function maySeeUsers(caller: Caller): boolean {
  return caller.prefixes('user.read').length > 0
}

export async function getVisibleUser(means: Means, caller: Caller, id: string): Promise<store.UserRow> {
  const visible = maySeeUsers(caller) || (caller.kind === 'user' && caller.id === id)
  const user = visible ? await store.findUser(means.database.kysely, id) : undefined
  if (!user) throw platformProblem('not_found', 'There is no such user, or you may not see them.')
  return user
}

/** A user whom nobody changes until the transaction ends. */
export interface HeldUser {
  readonly id: string
  readonly login: string
  readonly hasPassword: boolean
}

/** Undefined for a user who is gone or disabled. */
export async function holdEnabledUser(tx: Tx, id: string): Promise<HeldUser | undefined> {
  const user = await store.holdUser(tx, id)
  if (!user || user.disabledAt) return undefined
  return { id: user.id, login: user.login, hasPassword: user.passwordHash !== null }
}

export function listUsers(means: Means, caller: Caller, query: SubjectListQuery): Promise<Page<store.UserRow>> {
  const db = means.database.kysely
  const seesAll = maySeeUsers(caller)
  return pageOf(query, async (window) => {
    if (seesAll) return store.listUsers(db, window)
    const self = caller.kind === 'user' ? await store.findUser(db, caller.id) : undefined
    return self && (window.before === undefined || self.id < window.before) ? [self] : []
  })
}

export function presentUser({ passwordHash, disabledAt, ...user }: store.UserRow): User {
  return { ...toWire(user), has_password: passwordHash !== null, disabled: disabledAt !== null }
}
