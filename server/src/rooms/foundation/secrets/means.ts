import type { Tx } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'

/** Who would fail without what the `credential_ref` names, in words. */
export type SecretUsers = (tx: Tx, credentialRef: string) => Promise<readonly string[]>

/** What rooms above this one do and answer. */
export interface AboveSecrets {
  /** After each commit of this process that changed secrets, before it is answered: what was read of them is old. */
  secretsChanged(): void
  /** A secret that has users is not deleted; asked in the transaction of the deletion. */
  readonly findUsers: SecretUsers
}

/** What the actions of this room work with: the kit, and the doors that the room asks. */
export interface Means extends Kit {
  readonly above: AboveSecrets
  readonly audit: Audit
  readonly teams: Teams
}
