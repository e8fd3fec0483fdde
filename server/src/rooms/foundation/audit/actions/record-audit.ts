import type { Queryable } from '#platform/database'
import { principalOf, type RequestOrigin } from '#platform/http'
import type { Kit } from '#platform/room'
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

export async function recordAudit(kit: Kit, db: Queryable, entry: AuditEntry): Promise<void> {
  const { caller, address, requestId } = entry.origin
  await store.insertAudit(db, {
    id: kit.ids.next(),
    occurredAt: kit.clock.now(),
    actor: principalOf(caller),
    action: entry.action,
    resource: entry.resource,
    teamPath: entry.teamPath,
    address,
    requestId,
    before: entry.before ?? null,
    after: entry.after ?? null,
  })
}
