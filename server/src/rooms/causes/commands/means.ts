import type { Forge } from '#adapters/forges'
import type { Kit } from '#platform/room'
import type { GitApps } from '#rooms/catalog/git-apps'
import type { Events } from '#rooms/causes/events'
import type { Reports } from '#rooms/causes/reports'
import type { Sources } from '#rooms/causes/sources'
import type { Triggers } from '#rooms/causes/triggers'
import type { Approvals } from '#rooms/execution/approvals'
import type { Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Identities } from '#rooms/foundation/identities'
import type { Teams } from '#rooms/foundation/teams'
import type { CommandMetrics } from './metrics.ts'

/** What the house hands in. */
export interface Asked {
  readonly audit: Audit
  readonly teams: Pick<Teams, 'resolveScope'>
  readonly access: Pick<Access, 'newSubject' | 'snapshot'>
  readonly identities: Pick<Identities, 'findGitUser'>
  readonly gitApps: Pick<GitApps, 'call' | 'botLoginOf'>
  readonly runs: Pick<
    Runs,
    | 'findVisible'
    | 'judgeStart'
    | 'findDefaultScope'
    | 'queue'
    | 'cancel'
    | 'metrics'
    | 'prepareRerun'
    | 'prepareForkDecision'
    | 'listOfPullRequest'
    | 'listRuleOrigins'
    | 'recordAskers'
    | 'explainWait'
  >
  readonly approvals: Pick<Approvals, 'readRequests' | 'prepareDecision'>
  readonly triggers: Pick<Triggers, 'matcher'>
  readonly events: Pick<Events, 'list'>
  readonly sources: Pick<Sources, 'findCommanded' | 'repositoryOf' | 'findTrace'>
  readonly reports: Pick<Reports, 'answer' | 'refreshComment'>
  readonly forges: { find(provider: string): Forge | undefined }
  /** Called after a commit that queued runs, so that they need not wait for a poll. */
  readonly onRunsQueued: () => void
}

/** The means of this room's actions. */
export interface Means extends Kit, Asked {
  readonly commandMetrics: CommandMetrics
}
