import { NEEDED_PERMISSIONS } from '@signalbox/contracts/git-apps/words'

/** A permission of an app, what it is for, and whether it was given. */
export interface PermissionRow {
  readonly permission: string
  readonly needed: string | null
  readonly given: string | null
  readonly feature: string
  readonly isMissing: boolean
}

const NEEDED = new Map(NEEDED_PERMISSIONS.map((one) => [one.permission, one]))

const LEVELS = ['read', 'write', 'admin']

/** Every permission that is needed or given, missing ones first. */
export function permissionRows(given: Readonly<Record<string, string>>): readonly PermissionRow[] {
  const names = [...new Set([...NEEDED.keys(), ...Object.keys(given)])]
  const rows = names.map((permission): PermissionRow => {
    const { access: needed = null, feature = 'nothing that this version does' } = NEEDED.get(permission) ?? {}
    const has = given[permission] ?? null
    const isMissing = needed !== null && LEVELS.indexOf(has ?? '') < LEVELS.indexOf(needed)
    return { permission, needed, given: has, feature, isMissing }
  })
  return [...rows.filter(({ isMissing }) => isMissing), ...rows.filter(({ isMissing }) => !isMissing)]
}
