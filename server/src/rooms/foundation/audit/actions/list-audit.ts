import type { AuditQuery } from '@signalbox/contracts/audit'
import { type Caller, type Page, readCursor, toPage } from '#platform/http'
import type { Kit } from '#platform/room'
import * as store from '../store.ts'

export type { AuditRow } from '../store.ts'

const DEFAULT_LIMIT = 50

/** Records of the teams whose audit the caller may read; '/' records only for those who may read everywhere. */
export async function listAudit(kit: Kit, caller: Caller, query: AuditQuery): Promise<Page<store.AuditRow>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const [kind, id] = query.resource?.split(/:(.*)/s) ?? []
  const rows = await store.listAudit(kit.database.kysely, {
    prefixes: caller.prefixes('audit.read'),
    resourceKind: kind,
    resourceId: id,
    actorId: query.subject,
    since: query.since ? new Date(query.since) : undefined,
    before: readCursor(query.cursor),
    limit: limit + 1,
  })
  return toPage(rows, limit)
}
