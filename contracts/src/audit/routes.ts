import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

export const auditRoutes = routesOf<typeof shapes>()({
  listAuditRecords: {
    tag: 'audit',
    method: 'GET',
    path: '/v1/audit',
    summary: 'List audit records, newest first',
    permission: 'audit.read',
    query: 'AuditQuery',
    answers: { 200: ['AuditRecord'] },
  },
})
