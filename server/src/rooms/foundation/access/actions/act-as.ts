import type { Tx } from '#platform/database'
import type { Caller, CallerToken } from '#platform/http'
import type { Means } from '../means.ts'
import type { SubjectKind } from '../rules/snapshot.ts'
import { lockRevisionShared } from '../store/snapshot.ts'
import { findToken } from '../store/tokens.ts'

/** A subject as it may act now, and the revision of the rights by which it is judged. */
export interface Actor {
  readonly caller: Caller
  readonly revision: number
}

export interface ActingSubject {
  readonly kind: SubjectKind
  readonly id: string
  /** Undefined: it acts without a token. */
  readonly tokenId: string | undefined
}

/**
 * The subject, with the rights of this moment and within the limits of its token; undefined for a subject that is gone or
 * disabled, and for a token that is revoked, over or not the subject's. Throws authorization_unavailable (503).
 */
export async function actAs(
  { keeper, database, clock }: Means,
  { kind, id, tokenId }: ActingSubject,
): Promise<Actor | undefined> {
  // Before the token is read: one that is revoked meanwhile raises the revision.
  const snapshot = await keeper.getNew()
  let token: CallerToken | undefined
  if (tokenId !== undefined) {
    const row = await findToken(database.kysely, tokenId)
    const isOver = row?.revokedAt !== null || (row.expiresAt !== null && row.expiresAt <= clock.now())
    if (isOver || row.owner.kind !== kind || row.owner.id !== id) return undefined
    token = { id: row.id, name: row.name, ...(row.limits ? { limits: row.limits } : {}) }
  }
  const caller = snapshot.subject(kind, id, token)
  return caller && { caller, revision: snapshot.revision }
}

/**
 * Whether all rights are still those of the revision. Nobody changes any until the transaction ends, so what was judged by
 * them holds when it commits.
 */
export async function holdRights(tx: Tx, revision: number): Promise<boolean> {
  return (await lockRevisionShared(tx)) === revision
}
