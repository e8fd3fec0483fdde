import type { AuditQuery } from '@signalbox/contracts/audit'
import { type Caller, type Page, pageOf } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import * as store from '../store.ts'

/** Records of the teams whose audit the caller may read; records of '/' only for callers who may read everywhere. */
export function listAudit(means: Means, caller: Caller, query: AuditQuery): Promise<Page<store.AuditRow>> {
  const { resource, tool } = query
  if (tool !== undefined && resource !== undefined) {
    throw platformProblem('invalid_request', 'Name a tool or a resource, not both.', {
      errors: [{ field: 'tool', message: 'must not stand beside resource' }],
    })
  }
  const [resourceKind, resourceId] = tool === undefined ? (resource?.split(/:(.*)/s) ?? []) : ['tool', tool]
  const filter = {
    prefixes: caller.prefixes('audit.read'),
    resourceKind,
    resourceId,
    actorId: query.subject,
    tokenId: query.token,
    action: readAction(query.action),
    client: query.client,
    since: query.since ? new Date(query.since) : undefined,
  }
  return pageOf(query, (window) => store.listAudit(means.database.kysely, { ...window, ...filter }))
}

/** `token.created`, or `token.*` for all that begin so. */
function readAction(action: string | undefined): store.ActionFilter | undefined {
  if (action === undefined) return undefined
  const isPrefix = action.endsWith('*')
  return { text: isPrefix ? action.slice(0, -1) : action, isPrefix }
}
