import * as shapes from '@signalbox/contracts/audit'
import { auditRoutes as stated } from '@signalbox/contracts/audit/routes'
import { answer, linkNext, type Route, serve } from '#platform/http'
import type { Kit } from '#platform/room'
import { toWireTime } from '#platform/time'
import { type AuditRow, listAudit } from './actions/list-audit.ts'

export function auditRoutes(kit: Kit): Route[] {
  return serve(stated, shapes, {
    async listAuditRecords(request) {
      const page = await listAudit(kit, request.caller, request.query)
      return answer(200, page.items.map(present), linkNext(request.url, page))
    },
  })
}

function present(row: AuditRow): shapes.AuditRecord {
  return {
    id: row.id,
    occurred_at: toWireTime(row.occurredAt),
    actor: row.actor,
    action: row.action,
    resource: row.resource,
    team_path: row.teamPath,
    address: row.address,
    request_id: row.requestId,
    before: row.before,
    after: row.after,
  }
}
