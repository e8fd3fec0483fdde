import type { Finder, Kit, Search } from '#platform/room'
import type { Teams } from '#rooms/foundation/teams'

/** For the actions of this room. */
export interface Means extends Kit {
  readonly teams: Teams
  /** The rooms contribute them: each room knows who may see its things. */
  readonly searches: readonly Search[]
  readonly finders: readonly Finder[]
}
