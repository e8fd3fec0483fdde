import type { SecretQuery } from '@signalbox/contracts/secrets'
import { type Caller, type Page, readCursor, toPage } from '#platform/http'
import type { Kit } from '#platform/room'
import * as store from '../store.ts'
import { type DescribedSecret, describeSecrets } from './get-secret.ts'

const DEFAULT_LIMIT = 50

export async function listSecrets(kit: Kit, caller: Caller, query: SecretQuery): Promise<Page<DescribedSecret>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const rows = await store.listSecrets(kit.database.kysely, {
    prefixes: caller.prefixes('secret.read'),
    teamPath: query.team_path,
    before: readCursor(query.cursor),
    limit: limit + 1,
  })
  const page = toPage(rows, limit)
  return { items: await describeSecrets(kit.database.kysely, page.items), next: page.next }
}
