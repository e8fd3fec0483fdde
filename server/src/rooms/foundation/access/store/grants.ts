import { sql } from 'kysely'
import { type Queryable, type RowOf, toCamel, withinPrefixes } from '#platform/database'
import type { Window } from '#platform/http'
import type { SubjectRefParts } from '../rules/subject-ref.ts'

const COLUMNS = ['grants.id', 'grants.subject_kind', 'grants.role', 'grants.team_path', 'grants.created_at'] as const

type StoredGrant = RowOf<'grants', 'id' | 'subject_kind' | 'role' | 'team_path' | 'created_at'>

export interface GrantRow extends StoredGrant {
  readonly subjectId: string
  readonly subjectName: string
}

export interface GrantFilter extends Window {
  readonly prefixes: readonly string[]
  readonly teamPath?: string | undefined
  readonly subject?: SubjectRefParts | undefined
  readonly id?: string
}

export async function insertGrant(db: Queryable, row: Omit<GrantRow, 'subjectName'>): Promise<void> {
  const { subjectKind: kind, subjectId: id } = row
  await db
    .insertInto('grants')
    .values({
      id: row.id,
      subject_kind: kind,
      user_id: kind === 'user' ? id : null,
      group_id: kind === 'group' ? id : null,
      service_account_id: kind === 'service_account' ? id : null,
      role: row.role,
      team_path: row.teamPath,
      created_at: row.createdAt,
    })
    .execute()
}

export async function deleteGrant(db: Queryable, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('grants').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function findGrant(db: Queryable, id: string): Promise<GrantRow | undefined> {
  const [row] = await listGrants(db, { prefixes: ['/'], id, before: undefined, limit: 1 })
  return row
}

export async function listGrants(db: Queryable, filter: GrantFilter): Promise<GrantRow[]> {
  let query = selectGrants(db)
    .where(withinPrefixes('grants.team_path', filter.prefixes))
    .orderBy('grants.id', 'desc')
    .limit(filter.limit)
  if (filter.id) query = query.where('grants.id', '=', filter.id)
  if (filter.teamPath) query = query.where('grants.team_path', '=', filter.teamPath)
  if (filter.subject) query = query.where(`grants.${filter.subject.kind}_id`, '=', filter.subject.id)
  if (filter.before) query = query.where('grants.id', '<', filter.before)
  return (await query.execute()).map(toCamel)
}

/** The grants of a subject, and of the groups that it is in, at these very paths. */
export async function listGrantsAt(
  db: Queryable,
  { kind, id }: SubjectRefParts,
  { teamPaths, groupIds }: { readonly teamPaths: readonly string[]; readonly groupIds: readonly string[] },
): Promise<GrantRow[]> {
  const rows = await selectGrants(db)
    .where('grants.team_path', 'in', [...teamPaths])
    .where(({ eb, or }) =>
      or([eb(`grants.${kind}_id`, '=', id), ...groupIds.map((group) => eb('grants.group_id', '=', group))]),
    )
    .orderBy('grants.id')
    .execute()
  return rows.map(toCamel)
}

/** All grants of the very subject, without those of its groups. */
export async function listGrantsOf(db: Queryable, { kind, id }: SubjectRefParts): Promise<GrantRow[]> {
  return (await selectGrants(db).where(`grants.${kind}_id`, '=', id).execute()).map(toCamel)
}

function selectGrants(db: Queryable) {
  return db
    .selectFrom('grants')
    .leftJoin('users', 'users.id', 'grants.user_id')
    .leftJoin('groups', 'groups.id', 'grants.group_id')
    .leftJoin('service_accounts', 'service_accounts.id', 'grants.service_account_id')
    .select(COLUMNS)
    .select([
      sql<string>`coalesce(grants.user_id, grants.group_id, grants.service_account_id)`.as('subject_id'),
      sql<string>`coalesce(users.login, groups.name, service_accounts.team_path || '/' || service_accounts.name)`.as(
        'subject_name',
      ),
    ])
}

/** How many grants there are, by kind of subject and role; the table is small. */
export async function countGrants(db: Queryable): Promise<{ ownerKind: string; role: string; count: number }[]> {
  const rows = await db
    .selectFrom('grants')
    .select((eb) => ['subject_kind', 'role', eb.fn.countAll<number>().as('count')])
    .groupBy(['subject_kind', 'role'])
    .execute()
  return rows.map((row) => ({ ownerKind: row.subject_kind, role: row.role, count: Number(row.count) }))
}
