import { AuditQuery, AuditRecord } from '@signalbox/contracts/audit'
import { Type } from 'typebox'
import { answer, defineRoute, linkNext, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { toWireTime } from '#platform/time'
import { type AuditRow, listAudit } from './actions/list-audit.ts'

export function auditRoutes(kit: Kit): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/audit',
      summary: 'List audit records, newest first',
      tag: 'audit',
      class: 'authorized',
      permission: 'audit.read',
      schema: { query: AuditQuery },
      responses: { 200: Type.Array(AuditRecord) },
      handle: async (request) => {
        const page = await listAudit(kit, request.caller, request.query)
        return answer(200, page.items.map(present), linkNext(request.url, page))
      },
    }),
  ]
}

function present(row: AuditRow): AuditRecord {
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
