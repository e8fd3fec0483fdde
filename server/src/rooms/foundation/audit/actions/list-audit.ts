import type { AuditQuery } from '@signalbox/contracts/audit'
import { type Caller, type Page, pageOf } from '#platform/http'
import type { Means } from '../means.ts'
import * as store from '../store.ts'

/** Records of the teams whose audit the caller may read; records of '/' only for callers who may read everywhere. */
export function listAudit(means: Means, caller: Caller, query: AuditQuery): Promise<Page<store.AuditRow>> {
  const [resourceKind, resourceId] = query.resource?.split(/:(.*)/s) ?? []
  const filter = {
    prefixes: caller.prefixes('audit.read'),
    resourceKind,
    resourceId,
    actorId: query.subject,
    since: query.since ? new Date(query.since) : undefined,
  }
  return pageOf(query, (window) => store.listAudit(means.database.kysely, { ...window, ...filter }))
}
