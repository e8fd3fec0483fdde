import type { Queryable } from '#platform/database'
import { isVisibleTo, readCredentialRef } from '../rules.ts'
import * as store from '../store.ts'

/** A live version of a stored secret. */
export interface CredentialVersion {
  readonly secretId: string
  readonly version: number
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** Newest first; none for a variable, and for what something of `forTeamPath` may not use. */
export async function listVersions(
  db: Queryable,
  ref: string,
  forTeamPath: string,
): Promise<readonly CredentialVersion[]> {
  const parsed = readCredentialRef(ref)
  if (parsed?.kind !== 'secret' || !isVisibleTo(parsed.teamPath, forTeamPath)) return []
  const secret = await store.findSecretByName(db, parsed.teamPath, parsed.name)
  if (!secret) return []
  const versions = await store.listVersions(db, [secret.id])
  return versions.map(({ version, createdAt, lastUsedAt }) => ({ secretId: secret.id, version, createdAt, lastUsedAt }))
}
