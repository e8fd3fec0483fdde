import type { Selectable } from 'kysely'
import type { DB, Queryable } from '#platform/database'

export interface GroupRow {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
}

export interface MemberRow {
  readonly userId: string
  readonly login: string
}

export async function insertGroup(db: Queryable, row: GroupRow): Promise<void> {
  await db.insertInto('groups').values({ id: row.id, name: row.name, created_at: row.createdAt }).execute()
}

export async function deleteGroup(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('groups').where('id', '=', id).execute()
}

export async function findGroup(db: Queryable, id: string): Promise<GroupRow | undefined> {
  const row = await db.selectFrom('groups').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toGroup(row)
}

export async function listGroups(
  db: Queryable,
  filter: { before: string | undefined; limit: number },
): Promise<GroupRow[]> {
  let query = db.selectFrom('groups').selectAll().orderBy('id', 'desc').limit(filter.limit)
  if (filter.before) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toGroup)
}

export async function listGroupsOf(db: Queryable, userId: string): Promise<GroupRow[]> {
  const rows = await db
    .selectFrom('groups')
    .innerJoin('group_members', 'group_members.group_id', 'groups.id')
    .selectAll('groups')
    .where('group_members.user_id', '=', userId)
    .orderBy('groups.name')
    .execute()
  return rows.map(toGroup)
}

export async function listMembers(db: Queryable, groupId: string): Promise<MemberRow[]> {
  const rows = await db
    .selectFrom('group_members')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .select(['users.id', 'users.login'])
    .where('group_members.group_id', '=', groupId)
    .orderBy('users.login')
    .execute()
  return rows.map((row) => ({ userId: row.id, login: row.login }))
}

export async function addMember(db: Queryable, groupId: string, userId: string): Promise<void> {
  await db
    .insertInto('group_members')
    .values({ group_id: groupId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Answers whether the user was a member. */
export async function removeMember(db: Queryable, groupId: string, userId: string): Promise<boolean> {
  const result = await db
    .deleteFrom('group_members')
    .where('group_id', '=', groupId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

function toGroup(row: Selectable<DB['groups']>): GroupRow {
  return { id: row.id, name: row.name, createdAt: row.created_at }
}
