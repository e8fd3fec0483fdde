import type { LiveTopic } from '#platform/live'
import type { Kit } from '#platform/room'
import type { StreamCount } from '#platform/sse'
import type { Access } from '#rooms/foundation/access'
import type { Hub } from './hub/hub.ts'

/** The parts that house.ts hands in. */
export interface Asked {
  readonly access: Access
  /** The topics that the rooms contribute. */
  readonly topics: readonly LiveTopic[]
}

/** For the actions of this room. */
export interface Means extends Kit, Asked {
  readonly hub: Hub
  readonly open: StreamCount
}
