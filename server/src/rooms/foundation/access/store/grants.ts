import { type Queryable, withinPrefixes } from '#platform/database'
import { type RoleName, readRoleName } from '../rules/permissions.ts'

export interface GrantSubject {
  readonly kind: 'user' | 'group' | 'service_account'
  readonly id: string
}

export interface GrantRow {
  readonly id: string
  readonly subject: GrantSubject
  readonly subjectName: string
  readonly role: RoleName
  readonly teamPath: string
  readonly createdAt: Date
}

export interface GrantFilter {
  readonly prefixes: readonly string[]
  readonly teamPath?: string | undefined
  readonly subject?: GrantSubject | undefined
  readonly id?: string
  readonly before?: string | undefined
  readonly limit: number
}

export async function insertGrant(db: Queryable, row: Omit<GrantRow, 'subjectName'>): Promise<void> {
  const { kind, id } = row.subject
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

export async function deleteGrant(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('grants').where('id', '=', id).execute()
}

export async function findGrant(db: Queryable, id: string): Promise<GrantRow | undefined> {
  const [row] = await listGrants(db, { prefixes: ['/'], id, limit: 1 })
  return row
}

export async function listGrants(db: Queryable, filter: GrantFilter): Promise<GrantRow[]> {
  let query = db
    .selectFrom('grants')
    .leftJoin('users', 'users.id', 'grants.user_id')
    .leftJoin('groups', 'groups.id', 'grants.group_id')
    .leftJoin('service_accounts', 'service_accounts.id', 'grants.service_account_id')
    .selectAll('grants')
    .select((eb) => [
      eb.ref('users.login').as('login'),
      eb.ref('groups.name').as('group_name'),
      eb.ref('service_accounts.name').as('account_name'),
      eb.ref('service_accounts.team_path').as('account_team_path'),
    ])
    .where(withinPrefixes('grants.team_path', filter.prefixes))
    .orderBy('grants.id', 'desc')
    .limit(filter.limit)
  if (filter.id) query = query.where('grants.id', '=', filter.id)
  if (filter.teamPath) query = query.where('grants.team_path', '=', filter.teamPath)
  if (filter.subject) query = query.where(`grants.${filter.subject.kind}_id`, '=', filter.subject.id)
  if (filter.before) query = query.where('grants.id', '<', filter.before)
  const rows = await query.execute()
  return rows.flatMap((row) => {
    const role = readRoleName(row.role)
    if (!role) return []
    return [{ id: row.id, role, teamPath: row.team_path, createdAt: row.created_at, ...subjectOf(row) }]
  })
}

function subjectOf(row: {
  user_id: string | null
  group_id: string | null
  service_account_id: string | null
  login: string | null
  group_name: string | null
  account_name: string | null
  account_team_path: string | null
}): Pick<GrantRow, 'subject' | 'subjectName'> {
  if (row.user_id !== null) return { subject: { kind: 'user', id: row.user_id }, subjectName: row.login ?? '' }
  if (row.group_id !== null) return { subject: { kind: 'group', id: row.group_id }, subjectName: row.group_name ?? '' }
  const subject = { kind: 'service_account', id: row.service_account_id ?? '' } as const
  return { subject, subjectName: `${row.account_team_path}/${row.account_name}` }
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
