import type { Passwords } from '#platform/crypto'
import type { Tx } from '#platform/database'
import type { RateLimiter } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'
import type { BootstrapToken } from './authentication/bootstrap-token.ts'
import type { SnapshotKeeper } from './authentication/snapshot-keeper.ts'

/** The part of rooms above this one. */
export interface AboveAccess {
  /** Ends the sessions of a user whose password was changed, or who was disabled; all but `kept`. */
  endSessions(tx: Tx, userId: string, kept: string | undefined): Promise<void>
}

/** The doors that the room asks. */
export interface Asked {
  readonly above: AboveAccess
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
