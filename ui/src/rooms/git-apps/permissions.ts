/** A permission of an app, what it is for, and whether it was given. */
export interface PermissionRow {
  readonly permission: string
  readonly needed: string | null
  readonly given: string | null
  readonly feature: string
  readonly isMissing: boolean
}

/** What the features of this version need of an app; docs/providers says the same. */
const NEEDED: Readonly<Record<string, readonly [access: string, feature: string]>> = {
  metadata: ['read', 'to find repositories, branches, and who may write to them'],
  contents: ['read', 'to hear of pushes and releases, read manifests and check out commits'],
  pull_requests: [
    'write',
    'to read pull requests and their files, write the comment with results, and react to commands',
  ],
  checks: ['write', 'to show each run as a check with annotations and a rerun button'],
  statuses: ['write', 'to show each run as a commit status where checks are not used'],
  issues: ['read', 'to hear commands in comments at pull requests'],
  merge_queues: ['read', 'to hear of groups in merge queues'],
}

const LEVELS = ['read', 'write', 'admin']

/** Every permission that is needed or given, missing ones first. */
export function permissionRows(given: Readonly<Record<string, string>>): readonly PermissionRow[] {
  const names = [...new Set([...Object.keys(NEEDED), ...Object.keys(given)])]
  const rows = names.map((permission): PermissionRow => {
    const [needed = null, feature = 'nothing that this version does'] = NEEDED[permission] ?? []
    const has = given[permission] ?? null
    const isMissing = needed !== null && LEVELS.indexOf(has ?? '') < LEVELS.indexOf(needed)
    return { permission, needed, given: has, feature, isMissing }
  })
  return [...rows.filter(({ isMissing }) => isMissing), ...rows.filter(({ isMissing }) => !isMissing)]
}
