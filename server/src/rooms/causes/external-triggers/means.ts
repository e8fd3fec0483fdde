import type { Idempotency } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'
import type { SenderLimits } from './actions/sender-limits.ts'

/** What the house hands in. */
export interface Asked {
  readonly audit: Audit
  readonly teams: Teams
  readonly access: Access
  readonly runs: Runs
  /** After a commit that queued runs. */
  readonly onRunsQueued: () => void
}

/** What the actions of this room work with. */
export interface Means extends Kit, Asked {
  readonly idempotency: Idempotency
  readonly limits: SenderLimits
}
