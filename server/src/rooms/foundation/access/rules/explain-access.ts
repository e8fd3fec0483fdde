import { type Permission, ROLE_NAMES, type Role } from '@signalbox/contracts/access'
import { type HeldRole, pathAndAbove } from './holdings.ts'
import { ROLES } from './permissions.ts'

/** The weakest role with the permission: each role has what the one before it has. */
export function weakestRoleWith(permission: Permission): Role {
  const found = ROLE_NAMES.find((name) => ROLES[name].includes(permission))
  if (!found) throw new Error(`No role has ${permission}`)
  return found
}

/** The grants that would give the permission at the team, the narrowest first. */
export function remediesFor(permission: Permission, teamPath: string): readonly HeldRole[] {
  const role = weakestRoleWith(permission)
  // An administrator is one of the platform.
  const paths = role === 'administrator' ? ['/'] : pathAndAbove(teamPath)
  return paths.map((path) => ({ role, teamPath: path }))
}

/** The role that whoever gives `role` away needs at least: the right to give, and everything that is given. */
export function giverOf(role: Role): Role {
  return role === 'administrator' ? 'administrator' : weakestRoleWith('grant.write')
}

export interface ExplainedAccess {
  /** Such as `user:ada`. */
  readonly name: string
  readonly permission: Permission
  readonly teamPath: string
  readonly disabled: boolean
  /** Of those that the caller may see. */
  readonly grants: readonly (HeldRole & { readonly groupName: string | undefined })[]
  readonly hidden: boolean
  /** Undefined where it is allowed. */
  readonly remedy: (HeldRole & { readonly givers: readonly string[] }) | undefined
}

/** The answer in words. */
export function explainAccess(access: ExplainedAccess): string {
  const { name, permission, teamPath, disabled, grants, hidden, remedy } = access
  const where = `on ${placeOf(teamPath)}`
  const [nearest] = grants
  if (disabled) return `${name} is disabled and may do nothing.`
  if (nearest) {
    const { role, groupName } = nearest
    const through = groupName === undefined ? '' : ` through the group ${groupName}`
    return `${name} has ${permission} ${where}: ${role} of ${placeOf(nearest.teamPath)}${through}.`
  }
  if (hidden) return `${name} has ${permission} ${where} by a grant that you may not see.`
  if (!remedy) return `${name} lacks ${permission} ${where}.`
  const who = remedy.givers.length === 0 ? 'an administrator' : remedy.givers.join(', ')
  return `${name} lacks ${permission} ${where}. The role ${remedy.role} of ${placeOf(remedy.teamPath)} has it; ask ${who}.`
}

function placeOf(teamPath: string): string {
  return teamPath === '/' ? 'the platform' : teamPath
}
