import type { Caller, CallerToken } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { ROLES } from '../rules/permissions.ts'
import { type GroupRow, listGroupsOf } from '../store/groups.ts'
import { findUser, type UserRow } from '../store/users.ts'

export interface Self {
  readonly kind: 'user' | 'service_account' | 'bootstrap'
  readonly user: UserRow | undefined
  readonly groups: readonly GroupRow[]
  readonly token: CallerToken | undefined
  /** By team path, within the limits of the token; '/' is the platform. */
  readonly permissions: Readonly<Record<string, readonly string[]>>
  readonly administrator: boolean
}

export async function describeSelf(means: Means, caller: Caller): Promise<Self> {
  const { kind, id, token } = caller
  const subject = (await means.keeper.get()).subject(kind, id, token)
  if (kind === 'system' || !subject) throw platformProblem('unauthenticated', 'The owner of this token is gone.')
  const db = means.database.kysely
  const [user, groups] = kind === 'user' ? await Promise.all([findUser(db, id), listGroupsOf(db, id)]) : [undefined, []]
  return {
    kind,
    user,
    groups,
    token,
    permissions: Object.fromEntries([...subject.byPath].map(([path, held]) => [path, [...held].sort()])),
    administrator: ROLES.administrator.every((permission) => subject.can(permission, '/')),
  }
}
