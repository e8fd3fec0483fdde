import type { FreshCopy } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'
import type { KnowledgeCopy } from './rules/index.ts'

/** For the actions of this room: the kit, the doors that the room asks, and its copy in memory. */
export interface Means extends Kit {
  readonly audit: Audit
  readonly teams: Teams
  /** Every rule and every emergency that is active. Invalidate it after a commit that changes them. */
  readonly copy: FreshCopy<KnowledgeCopy>
}
