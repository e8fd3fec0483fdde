import type { SecretQuery } from '@signalbox/contracts/secrets'
import { type Caller, type Page, pageOf } from '#platform/http'
import type { Means } from '../means.ts'
import * as store from '../store.ts'
import { type DescribedSecret, describeSecrets } from './get-secret.ts'

export async function listSecrets(means: Means, caller: Caller, query: SecretQuery): Promise<Page<DescribedSecret>> {
  const db = means.database.kysely
  const filter = { prefixes: caller.prefixes('secret.read'), teamPath: query.team_path }
  const page = await pageOf(query, (window) => store.listSecrets(db, { ...window, ...filter }))
  return { ...page, items: await describeSecrets(db, page.items) }
}
