import type { SecretQuery } from '@signalbox/contracts/secrets'
import type { Queryable } from '#platform/database'
import { type Caller, type Page, pageOf, requireVisible } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { isVisibleTo, readCredentialRef } from '../rules.ts'
import * as store from '../store.ts'

/** A secret without its value. Unknown and invisible secrets look alike (404). */
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

export async function listSecrets(means: Means, caller: Caller, query: SecretQuery): Promise<Page<DescribedSecret>> {
  const db = means.database.kysely
  const filter = { prefixes: caller.prefixes('secret.read'), teamPath: query.team_path }
  const page = await pageOf(query, (window) => store.listSecrets(db, { ...window, ...filter }))
  const ids = page.items.map((secret) => secret.id)
  const bySecret = Map.groupBy(await store.listVersions(db, ids), ({ secretId }) => secretId)
  return { ...page, items: page.items.map((secret) => ({ ...secret, versions: bySecret.get(secret.id) ?? [] })) }
}

export async function describeSecret(db: Queryable, secret: store.SecretRow): Promise<DescribedSecret> {
  return { ...secret, versions: await store.listVersions(db, [secret.id]) }
}

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
