import type { Queryable } from '#platform/database'
import { defineRoom } from '#platform/room'
import { type AuditEntry, recordAudit } from './actions/record-audit.ts'
import { auditRoutes } from './routes.ts'

export type { AuditEntry } from './actions/record-audit.ts'

export interface Audit {
  /** Writes one record inside the caller's transaction: the write and its record are both there or neither is. */
  record(db: Queryable, entry: AuditEntry): Promise<void>
}

export const audit = defineRoom<Audit>({
  name: 'foundation/audit',
  open: (kit) => ({
    door: { record: (db, entry) => recordAudit(kit, db, entry) },
    routes: auditRoutes(kit),
  }),
})
