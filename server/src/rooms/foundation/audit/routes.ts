import * as shapes from '@signalbox/contracts/audit'
import { auditRoutes as stated } from '@signalbox/contracts/audit/routes'
import { answer, linkNext, type Route, serve } from '#platform/http'
import { toWireTime } from '#platform/time'
import { listAudit } from './actions/list-audit.ts'
import type { Means } from './means.ts'
import type { AuditRow } from './store.ts'

export function auditRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async listAuditRecords(request) {
      const page = await listAudit(means, request.caller, request.query)
      return answer(200, page.items.map(present), linkNext(request.url, page))
    },
  })
}

function present(row: AuditRow): shapes.AuditRecord {
  return {
    id: row.id,
    occurred_at: toWireTime(row.occurredAt),
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
    action: row.action,
    resource: { kind: row.resourceKind, id: row.resourceId },
    team_path: row.teamPath,
    address: row.address,
    request_id: row.requestId,
    before: row.before,
    after: row.after,
  }
}
