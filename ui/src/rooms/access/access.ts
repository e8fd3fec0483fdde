import type { Permission } from '@signalbox/contracts/access'
import type { grantRoutes, serviceAccountRoutes } from '@signalbox/contracts/access/routes'
import type { ItemOf } from '@signalbox/contracts/http/requests'
import type { memberRoutes } from '@signalbox/contracts/members/routes'

export type Grant = ItemOf<typeof grantRoutes.listGrants>
export type Member = ItemOf<typeof memberRoutes.listTeamMembers>
export type ServiceAccount = ItemOf<typeof serviceAccountRoutes.listServiceAccounts>

/** Each has the permissions of the role before it, and more. */
export const ROLES = ['viewer', 'operator', 'editor', 'owner', 'administrator'] as const
export type Role = (typeof ROLES)[number]

export function isRole(text: string | null): text is Role {
  return ROLES.some((role) => role === text)
}

export function isPermission(text: string | undefined, known: readonly string[]): text is Permission {
  return text !== undefined && known.includes(text)
}
