import type { Kit } from '#platform/room'
import type { Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'

/** What the actions of this room work with: the kit, and the doors that the room asks. */
export interface Means extends Kit {
  readonly audit: Audit
  readonly teams: Teams
  readonly access: Access
  readonly runs: Runs
  /** After a commit that queued runs. */
  readonly onRunsQueued: () => void
}
