import type { InstallationStatus } from '@signalbox/contracts/git-apps'
import type { FeatureGrant, FoundInstallation } from '#adapters/forges'
import { covers, findMissing } from './grants.ts'

/** Where an installation stands, and why. */
export interface Standing {
  readonly status: InstallationStatus
  readonly reason: string | null
}

export const SUSPENDED: Standing = {
  status: 'suspended',
  reason: 'The account suspended the installation: an owner of the account unsuspends it at the provider.',
}

export const REMOVED: Standing = {
  status: 'removed',
  reason: 'The provider has no such installation of this app any more: install the app again.',
}

/**
 * By what the provider tells of the installation. `asked` are the rights that the app has at the provider: rights that it
 * never asked for are not outdated.
 */
export function standingOf(
  found: FoundInstallation,
  features: readonly FeatureGrant[],
  asked: Readonly<Record<string, string>>,
): Standing {
  if (found.suspendedAt !== null) return SUSPENDED
  const outdated = findMissing(features, found.permissions).filter(({ permission, access }) =>
    covers(asked, permission, access),
  )
  if (outdated.length === 0) return { status: 'active', reason: null }
  const names = outdated.map(({ permission, access }) => `${permission}: ${access}`).join(', ')
  return {
    status: 'permissions_outdated',
    reason: `An owner of the account has not accepted ${names} yet: the page of the installation asks for it.`,
  }
}

/** Whether tokens of an installation may be asked for. */
export function isUsable(status: InstallationStatus): boolean {
  return status !== 'suspended' && status !== 'removed'
}

/** Why nobody acts for an installation, as a whole sentence; undefined: it can be used. */
export function whyUnusable(row: {
  readonly provider: string
  readonly installationId: string
  readonly account: string | null
  readonly status: InstallationStatus
}): string | undefined {
  const { provider, installationId, account, status } = row
  const named = `The installation ${installationId} of the app at ${provider}${account === null ? '' : ` for ${account}`}`
  switch (status) {
    case 'suspended':
      return `${named} is suspended: an owner of the account unsuspends it at the provider.`
    case 'removed':
      return `${named} was removed at the provider: install the app again.`
    case 'unverified':
    case 'active':
    case 'permissions_outdated':
      return undefined
  }
}
