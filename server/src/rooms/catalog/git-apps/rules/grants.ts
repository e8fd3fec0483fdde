import type { FeatureGrant, Grants } from '#adapters/forges'
import type { AppUse } from './wish.ts'

const USES: Readonly<Record<AppUse, Grants>> = {
  read: { contents: 'read', metadata: 'read' },
  pull_requests: { pull_requests: 'read' },
  statuses: { statuses: 'write' },
  checks: { checks: 'write' },
  // A comment at a pull request needs this right; `issues: write` is for issues alone.
  comments: { pull_requests: 'write' },
  permission: { metadata: 'read' },
}

/** The fewest rights that serve all uses. */
export function grantsOf(uses: readonly AppUse[]): Grants {
  const grants: Record<string, 'read' | 'write'> = {}
  for (const use of uses) {
    for (const [permission, access] of Object.entries(USES[use])) {
      if (access === 'write' || grants[permission] === undefined) grants[permission] = access
    }
  }
  return grants
}

const LEVELS = ['read', 'write', 'admin']

/** Whether what is given covers what is wanted: who may write may read. */
export function covers(given: Readonly<Record<string, string>>, permission: string, access: string): boolean {
  return LEVELS.indexOf(given[permission] ?? '') >= LEVELS.indexOf(access)
}

export function findMissing(
  features: readonly FeatureGrant[],
  given: Readonly<Record<string, string>>,
): readonly FeatureGrant[] {
  return features.filter(({ permission, access }) => !covers(given, permission, access))
}

/** Of the wanted rights those that an installation was not given, as `checks: write`. */
export function lacking(grants: Grants, given: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(grants)
    .filter(([permission, access]) => permission !== 'metadata' && !covers(given, permission, access))
    .map(([permission, access]) => `${permission}: ${access}`)
}
