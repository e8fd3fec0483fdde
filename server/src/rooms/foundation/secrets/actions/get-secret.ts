import type { Queryable } from '#platform/database'
import { type Caller, requireVisible } from '#platform/http'
import { platformProblem } from '#platform/problems'
import * as store from '../store.ts'

/** What is known of a secret, if the caller may see that it exists: unknown and invisible ones look alike (404). */
export async function getVisibleSecret(db: Queryable, caller: Caller, id: string): Promise<store.SecretRow> {
  const secret = await store.findSecret(db, id)
  return requireVisible(caller, 'secret.read', secret, () =>
    platformProblem('not_found', 'There is no such secret, or you may not see it.'),
  )
}

/** A secret and which of its versions can be used, newest first. */
export interface DescribedSecret extends store.SecretRow {
  readonly versions: readonly store.LiveVersion[]
}

export async function describeSecrets(
  db: Queryable,
  secrets: readonly store.SecretRow[],
): Promise<readonly DescribedSecret[]> {
  const ids = secrets.map((secret) => secret.id)
  const bySecret = Map.groupBy(await store.listVersions(db, ids), ({ secretId }) => secretId)
  return secrets.map((secret) => ({ ...secret, versions: bySecret.get(secret.id) ?? [] }))
}

export async function describeSecret(db: Queryable, secret: store.SecretRow): Promise<DescribedSecret> {
  return { ...secret, versions: await store.listVersions(db, [secret.id]) }
}
