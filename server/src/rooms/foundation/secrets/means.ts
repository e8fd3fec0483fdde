import type { Tx } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'

/** The users of a `credential_ref`, in words: they would fail without its secret. */
export type SecretUsers = (tx: Tx, credentialRef: string) => Promise<readonly string[]>

/** The part of rooms above this one. */
export interface AboveSecrets {
  /** After each commit of this process that changed secrets, before it is answered: what was read of them is old. */
  secretsChanged(): void
  /** A secret that has users is not deleted; asked in the transaction of the deletion. */
  readonly findUsers: SecretUsers
}

/** For the actions of this room: the kit, and the doors that the room asks. */
export interface Means extends Kit {
  readonly above: AboveSecrets
  readonly audit: Audit
  readonly teams: Teams
}
