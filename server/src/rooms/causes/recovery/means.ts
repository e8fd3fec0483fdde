import type { Forge } from '#adapters/forges'
import type { Kit } from '#platform/room'
import type { GitApps } from '#rooms/catalog/git-apps'
import type { Events } from '#rooms/causes/events'
import type { Sources } from '#rooms/causes/sources'
import type { Audit } from '#rooms/foundation/audit'
import type { RecoveryMetrics } from './metrics.ts'

/** What the house hands in. */
export interface Asked {
  readonly audit: Audit
  readonly gitApps: Pick<GitApps, 'call' | 'listApps' | 'asApp'>
  readonly events: Pick<Events, 'changes'>
  readonly sources: Pick<
    Sources,
    'findCommanded' | 'findAnswers' | 'listHooks' | 'listIgnoredPushes' | 'cameWhileDisabled' | 'makeEvent'
  >
  readonly forges: { find(provider: string): Forge | undefined }
}

/** The means of this room's actions. */
export interface Means extends Kit, Asked {
  readonly recoveryMetrics: RecoveryMetrics
}
