import type { FeatureGrant } from '#adapters/forges'
import { callbackPath } from './callback.ts'

/** What a registration asks for. */
export interface ManifestAsked {
  readonly name: string
  /** This service, as the provider and browsers reach it. */
  readonly publicUrl: string
  readonly provider: string
  /** Allotted already: the app sends its deliveries there. */
  readonly sourceId: string
  readonly permissions: Readonly<Record<string, string>>
  readonly events: readonly string[]
}

/** The longest name that GitHub takes. */
export const MAX_NAME = 34

/** Taken apart from `permissions`: `metadata` is implied by every other right. */
export function permissionsOf(features: readonly FeatureGrant[]): Readonly<Record<string, string>> {
  const permissions: Record<string, string> = {}
  for (const { permission, access } of features) {
    if (access === 'write' || permissions[permission] === undefined) permissions[permission] = access
  }
  return permissions
}

/** The manifest of a GitHub App: the page of the provider shows it, and the person there confirms it. */
export function buildManifest(asked: ManifestAsked): { name: string; [field: string]: unknown } {
  const { name, publicUrl, provider, sourceId, permissions, events } = asked
  return {
    name,
    url: publicUrl,
    description: 'Runs pipelines for events of repositories, and tells what became of them.',
    hook_attributes: { url: webhookUrlOf(publicUrl, sourceId), active: true },
    redirect_url: `${publicUrl}${callbackPath(provider, 'register')}`,
    setup_url: `${publicUrl}${callbackPath(provider, 'install')}`,
    setup_on_update: true,
    // A public app could be installed by any account of the provider.
    public: false,
    default_permissions: { ...permissions },
    default_events: [...events],
  }
}

export function webhookUrlOf(publicUrl: string, sourceId: string): string {
  return `${publicUrl}/v1/git/webhooks/${sourceId}`
}
