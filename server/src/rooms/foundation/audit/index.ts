import type { Queryable } from '#platform/database'
import type { Deed } from '#platform/planning'
import { defineRoom } from '#platform/room'
import { type AuditEntry, recordAudit, rowOf } from './actions/record-audit.ts'
import { auditRoutes } from './routes.ts'
import { type AuditFilter, type AuditRow, insertAudits, listAudit, listByPlan } from './store.ts'
import { auditTools } from './tools.ts'
import { createRecordWriter } from './writer/record-writer.ts'

export type { AuditEntry } from './actions/record-audit.ts'
export type { AuditRow } from './store.ts'

/** What a write did to a resource. */
export type AuditedChange = Pick<AuditRow, 'occurredAt' | 'actorName' | 'action' | 'before' | 'after'>

/** A resource, and which writes to it are meant: those of these actions; all, where none is given. */
export type WrittenResource = AuditEntry['resource'] & { readonly actions?: readonly string[] }

export interface Audit {
  /** Writes one record inside the caller's transaction: the write and its record are both there or neither is. */
  record(db: Queryable, entry: AuditEntry): Promise<void>
  /**
   * Writes one record of what is no write, in a transaction of its own, which it may share with others of the same moment.
   * Resolves when it is stored.
   */
  recordAlone(entry: AuditEntry): Promise<void>
  /** Records by filter, newest first, for a room that judges itself who may read them. */
  listRecords(db: Queryable, filter: AuditFilter): Promise<readonly AuditRow[]>
  /** The newest writes to a resource, whoever may read them: to say when it became what it is. */
  listChanges(db: Queryable, resource: WrittenResource, limit: number): Promise<readonly AuditedChange[]>
  /** What a plan has written, in order; within its transaction what it is about to write. */
  listDeeds(db: Queryable, planId: string): Promise<readonly Deed[]>
}

const EVERYWHERE = ['/']

export const audit = defineRoom<Audit>({
  name: 'foundation/audit',
  open(kit) {
    const writer = createRecordWriter((rows) => insertAudits(kit.database.kysely, rows), kit.clock)
    const door: Audit = {
      record: (db, entry) => recordAudit(kit, db, entry),
      recordAlone: (entry) => writer.write(rowOf(kit, entry)),
      listRecords: listAudit,
      listChanges: (db, { kind, id, actions }, limit) =>
        listAudit(db, {
          prefixes: EVERYWHERE,
          resourceKind: kind,
          resourceId: id,
          actions,
          actorId: undefined,
          since: undefined,
          before: undefined,
          limit,
        }),
      listDeeds: async (db, planId) =>
        (await listByPlan(db, planId)).map(({ resourceKind, resourceId, action, teamPath, before, after }) => ({
          action,
          resource: { kind: resourceKind, id: resourceId },
          teamPath,
          before,
          after,
        })),
    }
    return { door, routes: auditRoutes(kit), tools: auditTools }
  },
})
