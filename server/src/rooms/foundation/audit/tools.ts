import { AuditQuery } from '@signalbox/contracts/audit'
import { auditRoutes } from '@signalbox/contracts/audit/routes'
import { STRICT } from '@signalbox/contracts/http'
import { Type } from 'typebox'
import { defineTool, type Tool } from '#platform/tools'

const { listAuditRecords } = auditRoutes
const { resource, subject, token, action, since, cursor } = AuditQuery.properties

const listTool = defineTool({
  name: 'list_audit',
  title: 'List audit records',
  family: 'audit',
  does: 'read',
  description: 'Who did what to which resource, newest first. With changes: true also the resource before and after.',
  input: Type.Object(
    {
      resource,
      subject,
      token,
      action,
      since,
      changes: Type.Optional(Type.Boolean()),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
      cursor,
    },
    STRICT,
  ),
  routes: { listAuditRecords },
  async handle({ input: { changes, ...query }, routes }) {
    const { body, nextCursor } = await routes.listAuditRecords({ query: { limit: 10, ...query } })
    const records = body.map(({ before, after, address: _address, request_id: _request, ...record }) =>
      changes === true ? { ...record, before, after } : record,
    )
    const given = changes === undefined ? query : { ...query, changes }
    const more = { tool: 'list_audit', arguments: { ...given, cursor: nextCursor }, brings: 'older records' }
    return { facts: { records }, next: nextCursor === undefined ? [] : [more] }
  },
})

export const auditTools: readonly Tool[] = [listTool]
