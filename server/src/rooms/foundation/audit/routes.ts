import * as shapes from '@signalbox/contracts/audit'
import { auditRoutes as stated } from '@signalbox/contracts/audit/routes'
import { answer, linkNext, type Route, serve, toWire } from '#platform/http'
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
  const { actorKind, actorId, actorName, resourceKind, resourceId, ...record } = row
  const actor = { kind: actorKind, id: actorId, name: actorName }
  return { ...toWire(record), actor, resource: { kind: resourceKind, id: resourceId } }
}
