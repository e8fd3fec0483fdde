import type { Permission } from '@signalbox/contracts/access'
import { type Problem, platformProblem } from '#platform/problems'
import type { Caller } from './caller.ts'

/** Throws forbidden (403) unless the caller holds `permission` at `teamPath` or above it; `/` is the platform. */
export function requirePermission(caller: Caller, permission: Permission, teamPath: string): void {
  if (caller.can(permission, teamPath)) return
  const limited = caller.token?.limits ? ' Your token has limits, which may be the reason.' : ''
  throw platformProblem(
    'forbidden',
    `You need ${permission} on ${teamPath === '/' ? 'the platform' : teamPath}.${limited}`,
  )
}

/**
 * The row that was found, where the caller holds `permission` at its team; a team is at its own path. Throws `absent`
 * for a missing and for an invisible thing: after the same work, in the same words.
 */
export function requireVisible<Row extends { readonly teamPath: string } | { readonly path: string }>(
  caller: Caller,
  permission: Permission,
  row: Row | undefined,
  absent: () => Problem,
): Row {
  const teamPath = row && ('path' in row ? row.path : row.teamPath)
  const maySee = caller.can(permission, teamPath ?? '/')
  if (!row || !maySee) throw absent()
  return row
}

/**
 * Whether the caller holds `permission` at the team, above it, or at a team below it. So the members of a team see what
 * the teams above lend to it, such as profiles, or impose on it, such as policies.
 */
export function canFromBelow(caller: Caller, permission: Permission, teamPath: string): boolean {
  if (caller.can(permission, teamPath)) return true
  const below = teamPath === '/' ? '' : `${teamPath}/`
  return caller.prefixes(permission).some((prefix) => prefix.startsWith(below))
}

/** Like requireVisible, for things that are also visible from the teams below. */
export function requireVisibleFromBelow<Row extends { readonly teamPath: string }>(
  caller: Caller,
  permission: Permission,
  row: Row | undefined,
  absent: () => Problem,
): Row {
  const maySeeFromBelow = canFromBelow(caller, permission, row?.teamPath ?? '/')
  if (!row || !maySeeFromBelow) throw absent()
  return row
}
