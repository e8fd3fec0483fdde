import { familyOf, isLimitable, type Permission, type TokenLimit, type TokenLimits } from '@signalbox/contracts/access'
import { pathAndAbove } from './holdings.ts'

/** The most that a token may do of what its owner may. What is absent limits nothing. */
export interface Limits {
  readonly permissions?: readonly string[]
  readonly teamPath?: string
  readonly isReadOnly: boolean
  readonly families?: readonly string[]
}

/** The questions that a subject answers, and a token of the subject within its limits. */
export interface Narrowable {
  can(permission: Permission, teamPath: string): boolean
  prefixes(permission: Permission): readonly string[]
  mayUse(scope: string): boolean
  /** Every path at which something is granted, with what is granted there. */
  readonly byPath: ReadonlyMap<string, ReadonlySet<Permission>>
}

/** The limit that refuses a permission at a team, whatever the owner holds; undefined where none does. */
export function refusingLimit(limits: Limits, permission: Permission, teamPath: string): TokenLimit | undefined {
  const kind = refusingKind(limits, permission)
  if (kind) return kind
  return limits.teamPath === undefined || isWithin(teamPath, limits.teamPath) ? undefined : 'team_path'
}

function refusingKind(limits: Limits, permission: Permission): TokenLimit | undefined {
  if (!isLimitable(permission)) return 'withheld'
  if (limits.isReadOnly && !permission.endsWith('.read')) return 'read_only'
  if (limits.permissions && !limits.permissions.includes(permission)) return 'permissions'
  if (limits.families && !limits.families.includes(familyOf(permission))) return 'families'
  return undefined
}

/** Whether the limits leave the use of `<team path>/<environment>`. */
export function leavesScope(limits: Limits | undefined, scope: string): boolean {
  return !limits || refusingLimit(limits, 'scope.use', scope.slice(0, scope.lastIndexOf('/'))) === undefined
}

/** What a token with limits may do: what the subject may and the limits leave. */
export function narrow(subject: Narrowable, limits: Limits): Narrowable {
  const { teamPath } = limits
  return {
    can: (permission, path) => refusingLimit(limits, permission, path) === undefined && subject.can(permission, path),
    prefixes(permission) {
      if (refusingKind(limits, permission)) return []
      const held = subject.prefixes(permission)
      return teamPath === undefined ? held : partsWithin(held, teamPath)
    },
    mayUse: (scope) => leavesScope(limits, scope) && subject.mayUse(scope),
    byPath: narrowPaths(subject.byPath, limits),
  }
}

function narrowPaths(byPath: Narrowable['byPath'], limits: Limits): ReadonlyMap<string, ReadonlySet<Permission>> {
  const narrowed = new Map<string, Set<Permission>>()
  for (const [path, held] of byPath) {
    const [place] = limits.teamPath === undefined ? [path] : partsWithin([path], limits.teamPath)
    const left = [...held].filter((permission) => refusingKind(limits, permission) === undefined)
    if (place === undefined || left.length === 0) continue
    narrowed.set(place, new Set([...(narrowed.get(place) ?? []), ...left]))
  }
  return narrowed
}

/** The parts of the paths that lie at the team and below it. A path above it holds there, too. */
function partsWithin(paths: readonly string[], teamPath: string): string[] {
  if (paths.some((path) => isWithin(teamPath, path))) return [teamPath]
  return paths.filter((path) => isWithin(path, teamPath))
}

function isWithin(path: string, teamPath: string): boolean {
  return pathAndAbove(path).includes(teamPath)
}

/** The limits as they stand on the wire. */
export function presentLimits(limits: Limits | undefined): TokenLimits {
  return {
    permissions: limits?.permissions ? [...limits.permissions] : null,
    team_path: limits?.teamPath ?? null,
    read_only: limits?.isReadOnly ?? false,
    families: limits?.families ? [...limits.families] : null,
  }
}
