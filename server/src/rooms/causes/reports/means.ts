import type { Forge } from '#adapters/forges'
import type { Kit } from '#platform/room'
import type { GitApps } from '#rooms/catalog/git-apps'
import type { Sources } from '#rooms/causes/sources'
import type { Logs } from '#rooms/execution/logs'
import type { Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Identities } from '#rooms/foundation/identities'
import type { KnownCommented } from './actions/know-commented.ts'
import type { Pauses } from './actions/pause-calls.ts'
import type { ReportMetrics } from './metrics.ts'

/** The parts that house.ts hands in. */
export interface Asked {
  readonly access: Pick<Access, 'subject'>
  readonly identities: Pick<Identities, 'findGitUser'>
  readonly gitApps: Pick<GitApps, 'call'>
  readonly runs: Pick<Runs, 'findStanding' | 'findVisible' | 'listSteps' | 'prepareRerun' | 'recordAskers'>
  readonly logs: Pick<Logs, 'findTexts'>
  readonly sources: Pick<Sources, 'findTold' | 'findToldOf' | 'mayReport' | 'readKept'>
  readonly forges: { find(provider: string): Forge | undefined }
  /** Called after a commit that queued runs, so that they need not wait for a poll. */
  readonly onRunsQueued: () => void
}

/** The means of this room's actions: the kit, the doors that the room asks, its metrics and its memory. */
export interface Means extends Kit, Asked {
  readonly reportMetrics: ReportMetrics
  /** Providers that are left alone for a while. */
  readonly pauses: Pauses
  readonly commented: KnownCommented
}
