import type { TeamQuery } from '@signalbox/contracts/teams'
import { type Caller, type Page, readCursor, toPage } from '#platform/http'
import type { Kit } from '#platform/room'
import * as store from '../store.ts'

const DEFAULT_LIMIT = 50

export async function listTeams(kit: Kit, caller: Caller, query: TeamQuery): Promise<Page<store.TeamRow>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const rows = await store.listTeams(kit.database.kysely, {
    prefixes: caller.prefixes('team.read'),
    before: readCursor(query.cursor),
    limit: limit + 1,
  })
  return toPage(rows, limit)
}
