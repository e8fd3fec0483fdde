import type { Permission, Role } from '@signalbox/contracts/access'
import { ROLES } from './permissions.ts'

export interface HeldRole {
  readonly role: Role
  /** '/' is the platform. */
  readonly teamPath: string
}

/** The rights of one subject: roles at team paths, inherited downwards at the borders of path parts only. */
export interface Holdings {
  can(permission: Permission, teamPath: string): boolean
  /** The shortest paths at and below which `permission` is held; sorted. */
  prefixes(permission: Permission): readonly string[]
  /** Every path at which something is granted, with what is granted there. */
  readonly byPath: ReadonlyMap<string, ReadonlySet<Permission>>
}

export function createHoldings(roles: readonly HeldRole[]): Holdings {
  const byPath = new Map<string, Set<Permission>>()
  for (const { role, teamPath } of roles) {
    const held = byPath.get(teamPath) ?? new Set<Permission>()
    for (const permission of ROLES[role]) held.add(permission)
    byPath.set(teamPath, held)
  }
  const can = (permission: Permission, teamPath: string): boolean =>
    pathAndAbove(teamPath).some((path) => byPath.get(path)?.has(permission) === true)
  // Holdings never change. A list of tools asks for dozens of permissions with each message.
  const known = new Map<Permission, readonly string[]>()
  return {
    byPath,
    can,
    prefixes(permission) {
      const before = known.get(permission)
      if (before) return before
      const holding = [...byPath].filter(([, permissions]) => permissions.has(permission))
      const found = shortestOf(holding.map(([path]) => path))
      known.set(permission, found)
      return found
    },
  }
}

/** `acme/web` -> acme/web, acme, '/'. Whole parts only: acme is not above acme-labs. */
export function pathAndAbove(teamPath: string): readonly string[] {
  if (teamPath === '/') return ['/']
  const paths = [teamPath]
  for (let slash = teamPath.lastIndexOf('/'); slash > 0; slash = teamPath.lastIndexOf('/', slash - 1)) {
    paths.push(teamPath.slice(0, slash))
  }
  return [...paths, '/']
}

/** Sorted, without those that lie below another of them. */
function shortestOf(paths: readonly string[]): string[] {
  return paths.filter((path) => !pathAndAbove(path).some((up) => up !== path && paths.includes(up))).sort()
}

/** The shortest paths at and below which `holder` may do everything that the role allows; sorted. */
export function rolePaths(holder: Pick<Holdings, 'can' | 'prefixes'>, role: Role): string[] {
  const candidates = new Set(ROLES[role].flatMap((permission) => holder.prefixes(permission)))
  return shortestOf([...candidates].filter((teamPath) => holdsRole(holder, { role, teamPath })))
}

/** Whether `giver` may do everything that the role allows at the path: nobody gives away more than they have. */
export function holdsRole(giver: Pick<Holdings, 'can'>, { role, teamPath }: HeldRole): boolean {
  return ROLES[role].every((permission) => giver.can(permission, teamPath))
}
