import type { SecretQuery } from '@signalbox/contracts/secrets'
import { type Caller, type Page, readCursor, toPage } from '#platform/http'
import type { Kit } from '#platform/room'
import * as store from '../store.ts'

const DEFAULT_LIMIT = 50

export async function listSecrets(kit: Kit, caller: Caller, query: SecretQuery): Promise<Page<store.SecretRow>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const rows = await store.listSecrets(kit.database.kysely, {
    prefixes: caller.prefixes('secret.read'),
    teamPath: query.team_path,
    before: readCursor(query.cursor),
    limit: limit + 1,
  })
  return toPage(rows, limit)
}
