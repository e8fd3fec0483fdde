import type { Passwords } from '#platform/crypto'
import type { RateLimiter } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'
import type { BootstrapToken } from './authentication/bootstrap-token.ts'
import type { SnapshotKeeper } from './authentication/snapshot-keeper.ts'

/** The doors that the room asks. */
export interface Asked {
  readonly audit: Audit
  readonly teams: Teams
}

/** For the actions of this room: the kit, the doors that the room asks, and what it keeps in memory. */
export interface Means extends Kit, Asked {
  readonly keeper: SnapshotKeeper
  readonly bootstrap: BootstrapToken
  readonly passwords: Passwords
  /** Of new tokens, by address. */
  readonly tokenRate: RateLimiter
}
