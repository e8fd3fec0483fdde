import type { Kit } from '#platform/room'
import type { Runs } from '#rooms/execution/runs'
import type { Audit } from '#rooms/foundation/audit'
import type { Secrets } from '#rooms/foundation/secrets'

/** For the actions of this room: the kit, and the doors that the room asks. */
export interface Means extends Kit {
  readonly runs: Runs
  readonly audit: Audit
  readonly secrets: Secrets
}
