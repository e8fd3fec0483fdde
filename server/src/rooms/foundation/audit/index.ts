import type { Queryable } from '#platform/database'
import { defineRoom } from '#platform/room'
import { type AuditEntry, recordAudit } from './actions/record-audit.ts'
import { auditRoutes } from './routes.ts'
import { type AuditRow, listAudit } from './store.ts'

export type { AuditEntry } from './actions/record-audit.ts'

/** What a write did to a resource. */
export type AuditedChange = Pick<AuditRow, 'occurredAt' | 'actorName' | 'action' | 'before' | 'after'>

export interface Audit {
  /** Writes one record inside the caller's transaction: the write and its record are both there or neither is. */
  record(db: Queryable, entry: AuditEntry): Promise<void>
  /** The newest writes to a resource, whoever may read them: to say when it became what it is. */
  listChanges(db: Queryable, resource: AuditEntry['resource'], limit: number): Promise<readonly AuditedChange[]>
}

const EVERYWHERE = ['/']

export const audit = defineRoom<Audit>({
  name: 'foundation/audit',
  open: (kit) => ({
    door: {
      record: (db, entry) => recordAudit(kit, db, entry),
      listChanges: (db, { kind, id }, limit) =>
        listAudit(db, {
          prefixes: EVERYWHERE,
          resourceKind: kind,
          resourceId: id,
          actorId: undefined,
          since: undefined,
          before: undefined,
          limit,
        }),
    },
    routes: auditRoutes(kit),
  }),
})
