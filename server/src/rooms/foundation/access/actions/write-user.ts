import { uniqueViolation } from '#platform/database'
import { checkIfMatch, etagOf, laterThan, type RequestOrigin, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { busyIs429 } from '../authentication/password-verifier.ts'
import { accessProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import * as store from '../store/users.ts'
import { changeAccess, takeAccess } from './change-access.ts'
import { getVisibleUser } from './read-users.ts'

export interface NewUser {
  readonly login: string
  readonly name: string | undefined
  readonly email: string | null
  readonly password: string | undefined
  readonly disabled: boolean
}

export interface UserChange {
  readonly id: string
  readonly name: string | undefined
  readonly email: string | null | undefined
  /** null takes the password away. */
  readonly password: string | null | undefined
  readonly currentPassword: string | undefined
  readonly disabled: boolean | undefined
}

export async function createUser(means: Means, origin: RequestOrigin, input: NewUser): Promise<store.UserRow> {
  requirePermission(origin.caller, 'user.write', '/')
  const row = await makeUser(means, input)
  try {
    await changeAccess(means, async (tx) => {
      await store.insertUser(tx, row)
      await means.audit.record(tx, { origin, ...about(row), action: 'user.created', after: shown(row) })
    })
    return row
  } catch (error) {
    throw explain(error, input.login)
  }
}

/** The row of a user who is not stored yet. */
export async function makeUser(means: Means, input: NewUser): Promise<store.UserRow> {
  const now = means.clock.now()
  return {
    id: means.ids.next(),
    login: input.login,
    name: input.name ?? input.login,
    email: input.email,
    passwordHash: input.password === undefined ? null : await hash(means, input.password),
    disabledAt: input.disabled ? now : null,
    createdAt: now,
    updatedAt: now,
  }
}

/** With user.write everything; a user may change their own name, email and, knowing it, password. */
export async function updateUser(
  means: Means,
  origin: RequestOrigin,
  { id, ...change }: UserChange,
): Promise<store.UserRow> {
  const { caller } = origin
  const seen = await getVisibleUser(means, caller, id)
  const mayAll = caller.can('user.write', '/')
  // A token with limits changes nobody, its owner included.
  const isSelf = caller.kind === 'user' && caller.id === id && !caller.token?.limits
  if (!mayAll && (!isSelf || change.disabled !== undefined)) requirePermission(caller, 'user.write', '/')
  if (!mayAll && change.password !== undefined) await requirePassword(means, seen, change.currentPassword)
  // Before the transaction: hashing takes long, and a lock must not be held for it.
  const hashed = typeof change.password === 'string' ? await hash(means, change.password) : change.password
  return takeAccess(means, async (tx) => {
    const before = await store.lockUser(tx, id)
    if (!before) throw platformProblem('not_found', 'The user was deleted meanwhile.')
    checkIfMatch(origin.ifMatch, etagOf(before.updatedAt))
    const now = means.clock.now()
    const row: store.UserRow = {
      ...before,
      name: change.name ?? before.name,
      email: change.email === undefined ? before.email : change.email,
      passwordHash: hashed === undefined ? before.passwordHash : hashed,
      disabledAt:
        change.disabled === undefined ? before.disabledAt : change.disabled ? (before.disabledAt ?? now) : null,
      updatedAt: laterThan(before.updatedAt, now),
    }
    await store.updateUser(tx, row)
    if (hashed !== undefined || row.disabledAt) {
      await means.above.endSessions(tx, id, row.disabledAt ? undefined : caller.sessionId)
    }
    const states = { before: shown(before), after: { ...shown(row), password_changed: hashed !== undefined } }
    await means.audit.record(tx, { origin, ...about(row), action: 'user.updated', ...states })
    return row
  })
}

export async function deleteUser(means: Means, origin: RequestOrigin, id: string): Promise<void> {
  const seen = await getVisibleUser(means, origin.caller, id)
  requirePermission(origin.caller, 'user.write', '/')
  await takeAccess(means, async (tx) => {
    if (!(await store.deleteUser(tx, id))) throw platformProblem('not_found', 'The user was deleted meanwhile.')
    await means.audit.record(tx, { origin, ...about(seen), action: 'user.deleted', before: shown(seen) })
  })
}

async function requirePassword(means: Means, user: store.UserRow, password: string | undefined): Promise<void> {
  const right = await busyIs429(() => means.passwords.verify(user.passwordHash ?? undefined, password ?? ''))
  if (right) return
  throw accessProblem('user.wrong_password', 'Send your current password as current_password.', {
    errors: [{ field: 'current_password', message: 'must be the password that you have now' }],
  })
}

function hash(means: Means, password: string): Promise<string> {
  return busyIs429(() => means.passwords.hash(password))
}

export function explain(error: unknown, login: string): unknown {
  if (uniqueViolation(error) !== 'users_login_taken') return error
  return accessProblem('user.login_taken', `There is a user of the login ${login} already.`, { cause: error })
}

export function shown(row: store.UserRow): Readonly<Record<string, unknown>> {
  return { login: row.login, name: row.name, email: row.email, disabled: row.disabledAt !== null }
}

function about({ id }: store.UserRow) {
  return { resource: { kind: 'user', id }, teamPath: '/' }
}
