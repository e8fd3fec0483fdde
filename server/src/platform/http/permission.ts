import { type Problem, platformProblem } from '#platform/problems'
import type { Caller } from './caller.ts'

/** Throws forbidden (403) unless the caller holds `permission` at `teamPath` or above it; `/` is the platform. */
export function requirePermission(caller: Caller, permission: string, teamPath: string): void {
  if (caller.can(permission, teamPath)) return
  throw platformProblem('forbidden', `You need ${permission} on ${teamPath === '/' ? 'the platform' : teamPath}.`)
}

/**
 * The row that was found, where the caller holds `permission` at its team. Throws `absent` where there is none and where
 * the caller may not see it: after the same work, in the same words.
 */
export function requireVisible<Row extends { readonly teamPath: string }>(
  caller: Caller,
  permission: string,
  row: Row | undefined,
  absent: () => Problem,
): Row {
  const maySee = caller.can(permission, row?.teamPath ?? '/')
  if (!row || !maySee) throw absent()
  return row
}
