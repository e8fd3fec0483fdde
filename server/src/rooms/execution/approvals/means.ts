import type { Kit } from '#platform/room'
import type { Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Identities } from '#rooms/foundation/identities'

/** For the actions of this room: the kit, and the doors that the room asks. */
export interface Means extends Kit {
  readonly audit: Audit
  readonly access: Access
  readonly identities: Pick<Identities, 'findGitUser'>
  readonly runs: Runs
}
