import type { Queryable } from '#platform/database'
import type { RequestOrigin } from '#platform/http'
import type { Means } from '../means.ts'
import * as store from '../store.ts'

/** `before` and `after` are the resource in wire shape; they never hold a secret. */
export interface AuditEntry {
  readonly origin: RequestOrigin
  /** `<resource>.<verb in past tense>` */
  readonly action: string
  readonly resource: { readonly kind: string; readonly id: string }
  /** '/' for the platform itself. */
  readonly teamPath: string
  readonly before?: unknown
  readonly after?: unknown
}

export async function recordAudit(means: Means, db: Queryable, entry: AuditEntry): Promise<void> {
  await store.insertAudit(db, rowOf(means, entry))
}

/** The record that an entry is kept as, with an id and a time of now. */
export function rowOf(means: Pick<Means, 'ids' | 'clock'>, entry: AuditEntry): store.AuditRow {
  const { origin, action, resource, teamPath, before = null, after = null } = entry
  const { caller, address, requestId, via } = origin
  return {
    id: means.ids.next(),
    occurredAt: means.clock.now(),
    actorKind: caller.kind,
    actorId: caller.id,
    actorName: caller.name,
    action,
    resourceKind: resource.kind,
    resourceId: resource.id,
    teamPath,
    address,
    requestId,
    tokenId: caller.token?.id ?? null,
    before,
    after: via === undefined ? after : { ...(typeof after === 'object' ? after : { value: after }), ...via },
  }
}
