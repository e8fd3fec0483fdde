import type { CreateToken, Token } from '@signalbox/contracts/access'

/** What somebody chose for a token; all empty: it may do what its owner may. */
export interface ChosenLimits {
  readonly teamPath: string
  readonly isReadOnly: boolean
  readonly permissions: readonly string[]
  readonly families: readonly string[]
}

export const NO_LIMITS: ChosenLimits = { teamPath: '', isReadOnly: false, permissions: [], families: [] }

type SentLimits = Pick<CreateToken, 'team_path' | 'read_only' | 'permissions' | 'families'>
type Permission = NonNullable<SentLimits['permissions']>[number]
type Family = NonNullable<SentLimits['families']>[number]

/** A permission as the table of permissions tells it. */
export interface KnownPermission {
  readonly name: string
  readonly family: string
  readonly limitable: boolean
}

/** The limits as the API takes them. Only what the table knows is sent. */
export function sentLimits(chosen: ChosenLimits, table: readonly KnownPermission[]): SentLimits {
  const isPermission = (name: string): name is Permission => table.some((known) => known.name === name)
  const isFamily = (name: string): name is Family => table.some(({ family }) => family === name)
  const permissions = chosen.permissions.filter(isPermission)
  const families = chosen.families.filter(isFamily)
  return {
    ...(chosen.teamPath === '' ? {} : { team_path: chosen.teamPath }),
    ...(chosen.isReadOnly ? { read_only: true } : {}),
    ...(permissions.length === 0 ? {} : { permissions }),
    ...(families.length === 0 ? {} : { families }),
  }
}

/** The limits of a token in a few words; `nothing` where it may do what its owner may. */
export function limitsInWords(token: Pick<Token, 'team_path' | 'read_only' | 'permissions' | 'families'>): string {
  const parts = [
    ...(token.team_path === null ? [] : [token.team_path]),
    ...(token.read_only ? ['reading'] : []),
    ...(token.permissions ?? []),
    ...(token.families ?? []).map((family) => `family ${family}`),
  ]
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}
