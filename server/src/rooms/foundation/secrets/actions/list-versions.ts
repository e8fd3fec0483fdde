import type { Queryable } from '#platform/database'
import { isVisibleTo, readCredentialRef } from '../rules.ts'
import * as store from '../store.ts'

/** Newest first; none for a variable, and for what something of `forTeamPath` may not use. */
export async function listVersions(
  db: Queryable,
  ref: string,
  forTeamPath: string,
): Promise<readonly store.LiveVersion[]> {
  const parsed = readCredentialRef(ref)
  if (parsed?.kind !== 'secret' || !isVisibleTo(parsed.teamPath, forTeamPath)) return []
  const secret = await store.findSecretByName(db, parsed.teamPath, parsed.name)
  return secret ? store.listVersions(db, [secret.id]) : []
}
