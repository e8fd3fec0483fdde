import type { FairShares } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Runs } from '#rooms/execution/runs'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'
import type { ObjectPort } from './actions/object-port.ts'

/** For the actions of this room: the kit, the doors that the room asks, and what it keeps in memory. */
export interface Means extends Kit {
  readonly audit: Audit
  readonly teams: Teams
  readonly runs: Runs
  /** The object store. */
  readonly objects: ObjectPort
  /** Where this process listens, as soon as it does: for runners where `base_url` is not configured. */
  readonly api: { readonly url?: string }
  /** Bytes of archives in memory that are on their way: one part for each download. */
  readonly outgoing: FairShares
  /** Archives that are read back now, by the id of the blob; a second request for the same one waits for it. */
  readonly completing: Map<string, Promise<void>>
}
