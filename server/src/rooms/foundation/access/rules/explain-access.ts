import { type Permission, ROLE_NAMES, type Role, type TokenLimit } from '@signalbox/contracts/access'
import type { Finding } from '@signalbox/contracts/http'
import { type HeldRole, pathAndAbove } from './holdings.ts'
import { ROLES } from './permissions.ts'
import type { Limits } from './token-limits.ts'

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
  /** `<kind>:<id>` of the subject, and such as `user:ada`. */
  readonly reference: string
  readonly name: string
  readonly permission: Permission
  readonly teamPath: string
  readonly disabled: boolean
  /** Of those that the caller may see. */
  readonly grants: readonly (HeldRole & { readonly id: string; readonly groupName: string | undefined })[]
  readonly hidden: boolean
  /** Undefined where it is allowed. */
  readonly remedy: (HeldRole & { readonly givers: readonly string[] }) | undefined
}

/** The answer in words, a sentence for each finding. */
export function explainAccess(access: ExplainedAccess): Finding[] {
  const { reference, name, permission, teamPath, disabled, grants, hidden, remedy } = access
  const what = `${permission} on ${placeOf(teamPath)}`
  const subject = { kind: 'subject' as const, id: reference }
  const finding = (code: string, sentence: string): Finding => ({ code, sentence, evidence: [subject] })
  const [nearest] = grants
  if (disabled) return [finding('access.disabled', `${name} is disabled and may do nothing.`)]
  if (nearest) {
    const { id, role, groupName } = nearest
    const through = groupName === undefined ? '' : ` through the group ${groupName}`
    const sentence = `${name} has ${what}: ${role} of ${placeOf(nearest.teamPath)}${through}.`
    return [{ code: 'access.granted', sentence, evidence: [subject, { kind: 'grant', id }] }]
  }
  if (hidden) return [finding('access.granted_hidden', `${name} has ${what} by a grant that you may not see.`)]
  const lacking = finding('access.lacking', `${name} lacks ${what}.`)
  if (!remedy) return [lacking]
  const who = remedy.givers.length === 0 ? 'an administrator' : remedy.givers.join(', ')
  const sentence = `The role ${remedy.role} of ${placeOf(remedy.teamPath)} has it; ask ${who}.`
  return [lacking, { code: 'access.remedy', sentence, evidence: [{ kind: 'team', id: remedy.teamPath }] }]
}

export interface LimitedToken {
  readonly id: string
  readonly limits: Limits
}

/** What a limit of the token says to the permission: a grant would change nothing. */
export function explainLimit({ id, limits }: LimitedToken, limit: TokenLimit, permission: Permission): Finding {
  const evidence = [{ kind: 'token' as const, id }]
  return { code: `token.${limit}`, sentence: wordsOf(limits, limit, permission), evidence }
}

function wordsOf(limits: Limits, limit: TokenLimit, permission: Permission): string {
  switch (limit) {
    case 'withheld':
      return `No token with limits has ${permission}: only a token without limits can.`
    case 'read_only':
      return `The token only reads, and ${permission} writes.`
    case 'permissions':
      return `The token is limited to other permissions than ${permission}.`
    case 'families':
      return `The token is limited to the families ${limits.families?.join(', ')}, and ${permission} is of another.`
    case 'team_path':
      return `The token is limited to ${limits.teamPath} and the teams below it.`
    default:
      return limit satisfies never
  }
}

function placeOf(teamPath: string): string {
  return teamPath === '/' ? 'the platform' : teamPath
}
