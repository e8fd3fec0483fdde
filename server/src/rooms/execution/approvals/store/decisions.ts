import { type Queryable, type RowOf, type Tx, toCamel, toSnake } from '#platform/database'
import type { Decision, Request } from '../rules/index.ts'

const COLUMNS = [
  'request_id',
  'subject_kind',
  'subject_id',
  'subject_name',
  'decision',
  'comment',
  'fields',
  'commit_sha',
  'decided_at',
  'lapsed',
] as const

/** The decisions of these requests, oldest first. */
export async function listDecisions(db: Queryable, requestIds: readonly string[]): Promise<Decision[]> {
  if (requestIds.length === 0) return []
  const rows = await db
    .selectFrom('approval_decisions')
    .select(COLUMNS)
    .where('request_id', 'in', [...requestIds])
    .orderBy('decided_at')
    .orderBy('subject_id')
    .execute()
  return rows.map((row) => toDecision(toCamel(row)))
}

/** The decisions of these requests, by request, oldest first. */
export async function groupDecisions(
  db: Queryable,
  requests: readonly Request[],
): Promise<ReadonlyMap<string, readonly Decision[]>> {
  const ids = requests.map(({ id }) => id)
  return Map.groupBy(await listDecisions(db, ids), ({ requestId }) => requestId)
}

export async function insertDecision(tx: Tx, { by, ...decided }: Decision): Promise<void> {
  await tx
    .insertInto('approval_decisions')
    .values(toSnake({ ...decided, subjectKind: by.kind, subjectId: by.id, subjectName: by.name }))
    .execute()
}

/** Notes why a decision counts no longer, or that it counts again. */
export async function setLapsed(tx: Tx, { requestId, by, lapsed }: Decision): Promise<void> {
  await tx
    .updateTable('approval_decisions')
    .set({ lapsed })
    .where('request_id', '=', requestId)
    .where('subject_kind', '=', by.kind)
    .where('subject_id', '=', by.id)
    .execute()
}

type Stored = RowOf<'approval_decisions', (typeof COLUMNS)[number]>

function toDecision({ subjectKind: kind, subjectId: id, subjectName: name, ...decided }: Stored): Decision {
  return { ...decided, by: { kind, id, name } }
}
