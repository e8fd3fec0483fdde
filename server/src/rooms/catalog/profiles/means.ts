import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'

/** For the actions of this room: the kit, and the doors that the room asks. */
export interface Means extends Kit {
  readonly audit: Audit
}
