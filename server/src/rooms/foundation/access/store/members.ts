import type { Role } from '@signalbox/contracts/access'
import type { RIGHT_ORIGINS, SUBJECT_KINDS } from '@signalbox/contracts/members'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Queryable, withinPrefixes } from '#platform/database'
import type { Window } from '#platform/http'

export type MemberKind = (typeof SUBJECT_KINDS)[number]
export type RightOrigin = (typeof RIGHT_ORIGINS)[number]

/** What the reader of the members of a team may know of them. */
export interface MemberReader {
  /** The team. */
  readonly path: string
  /** The team, the teams above it, and the platform. */
  readonly paths: readonly string[]
  /** Those of `paths` whose grants the reader reads. */
  readonly readable: readonly string[]
  /** `<kind>:<id>`: everybody sees their own rights through groups. */
  readonly self: string
  /** Sees users, groups, and who is in which group. */
  readonly seesUsers: boolean
  /** Where the reader sees service accounts. */
  readonly accountPrefixes: readonly string[]
}

export interface MemberFilter {
  readonly kind?: MemberKind | undefined
  readonly role?: Role | undefined
  readonly origin?: RightOrigin | undefined
  readonly name?: string | undefined
}

/** One right of one subject, by a grant to it or to a group of it. */
export interface MemberRightRow {
  readonly kind: MemberKind
  readonly subjectId: string
  readonly name: string
  readonly disabled: boolean
  readonly grantId: string
  readonly role: Role
  readonly teamPath: string
  readonly origin: RightOrigin
  readonly groupId: string | null
  readonly groupName: string | null
  readonly createdAt: Date
  /** The reader may see it. */
  readonly isShown: boolean
}

/**
 * Every right of a page of members, newest subject first: those that have a right which the reader sees, and those that the
 * reader may know besides. A filter looks at what the reader sees. The one exception is a grant of a team above: its
 * existence is told, so `inherited` finds it where the reader knows the subject.
 */
export async function listMemberRights(
  db: Queryable,
  reader: MemberReader,
  filter: MemberFilter & Window,
): Promise<MemberRightRow[]> {
  return (await memberRightsQuery(reader, filter).execute(db)).rows
}

/** The statement of `listMemberRights`; a test reads its plan. */
export function memberRightsQuery(reader: MemberReader, { before, limit, ...filter }: MemberFilter & Window) {
  const wanted = [sql<SqlBool>`(is_shown or is_known)`, ...conditions(filter)]
  if (before !== undefined) wanted.push(sql<SqlBool>`subject_id < ${before}::uuid`)
  return sql<MemberRightRow>`
    with ${rights(reader)}, members as (
      select kind, subject_id from rights where ${sql.join(wanted, sql` and `)}
      group by kind, subject_id order by subject_id desc limit ${limit}
    )
    select rights.kind, subject_id as "subjectId", name, disabled, grant_id as "grantId", role, team_path as "teamPath", origin,
      group_id as "groupId", group_name as "groupName", created_at as "createdAt", is_shown as "isShown"
    from members join rights using (kind, subject_id) order by subject_id desc`
}

/** Whether a subject that the reader may not know has a grant of a team above. */
export async function hasHiddenMembers(db: Queryable, reader: MemberReader): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with ${rights(reader)}
    select exists (
      select from rights group by kind, subject_id
      having not bool_or(is_shown or is_known) and bool_or(origin = 'inherited')
    ) as found`.execute(db)
  return rows[0]?.found === true
}

function conditions({ kind, role, origin, name }: MemberFilter): RawBuilder<SqlBool>[] {
  const parts: RawBuilder<SqlBool>[] = []
  if (kind !== undefined) parts.push(sql`kind = ${kind}`)
  if (name !== undefined) parts.push(sql`strpos(lower(name), lower(${name})) > 0`)
  if (role !== undefined) parts.push(sql`role = ${role} and is_shown`)
  if (origin !== undefined) parts.push(sql`origin = ${origin} and (is_shown or origin = 'inherited')`)
  return parts
}

/**
 * CTEs that end in `rights`: one row for each grant at the paths, and one for each user of a group that has one. The grants
 * come by the index on their path, the users by the primary key of memberships, the names by theirs.
 */
function rights({ path, paths, readable, self, seesUsers, accountPrefixes }: MemberReader): RawBuilder<unknown> {
  return sql`given as (
      select id as grant_id, subject_kind as kind, coalesce(user_id, group_id, service_account_id) as subject_id, role,
        team_path, created_at, team_path = any(${readable}::text[]) as is_readable
      from grants where team_path = any(${paths}::text[])
    ), held as (
      select grant_id, kind, subject_id, role, team_path, created_at, is_readable as is_shown, null::uuid as group_id,
        case when team_path = ${path} then 'own' else 'inherited' end as origin
      from given
      union all
      select grant_id, 'user', member.user_id, role, team_path, created_at,
        is_readable and (${seesUsers} or 'user:' || member.user_id = ${self}), member.group_id, 'group'
      from given join group_members as member on member.group_id = given.subject_id where given.kind = 'group'
    ), rights as (
      select held.*, through.name as group_name,
        coalesce(users.login, groups.name, accounts.team_path || '/' || accounts.name) as name,
        users.disabled_at is not null or accounts.disabled_at is not null as disabled,
        case held.kind
          when 'service_account' then ${withinPrefixes('accounts.team_path', accountPrefixes)}
          else ${seesUsers}
        end or held.kind || ':' || held.subject_id = ${self} as is_known
      from held
      left join users on held.kind = 'user' and users.id = held.subject_id
      left join groups on held.kind = 'group' and groups.id = held.subject_id
      left join service_accounts as accounts on held.kind = 'service_account' and accounts.id = held.subject_id
      left join groups as through on through.id = held.group_id
    )`
}
