import type { Kit, Probe } from '#platform/room'
import type { Access } from '#rooms/foundation/access'
import type { Secrets } from '#rooms/foundation/secrets'

/** For the actions of this room: the kit, and the doors that the room asks. */
export interface Means extends Kit {
  readonly access: Access
  readonly secrets: Secrets
  /** The platform and the rooms contribute them; preflight asks those that have a blocker. */
  readonly probes: readonly Probe[]
}
