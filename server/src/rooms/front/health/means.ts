import type { Kit, Probe } from '#platform/room'

/** For the actions of this room. */
export interface Means extends Kit {
  /** The platform and the rooms contribute them; readiness asks all of them. */
  readonly probes: readonly Probe[]
}
