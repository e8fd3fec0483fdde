import { findOne, type Queryable, type RowOf, toCamel, toSnake } from '#platform/database'
import type { Window } from '#platform/http'

const COLUMNS = ['groups.id', 'groups.name', 'groups.created_at'] as const

export type GroupRow = RowOf<'groups'>

export interface MemberRow {
  readonly userId: string
  readonly login: string
}

export async function insertGroup(db: Queryable, row: GroupRow): Promise<void> {
  await db.insertInto('groups').values(toSnake(row)).execute()
}

export async function deleteGroup(db: Queryable, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('groups').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function findGroup(db: Queryable, id: string): Promise<GroupRow | undefined> {
  return findOne(db.selectFrom('groups').select(COLUMNS).where('id', '=', id))
}

/** Served by the unique index on the name. */
export async function findGroupsByName(db: Queryable, names: readonly string[]): Promise<GroupRow[]> {
  if (names.length === 0) return []
  return (await db.selectFrom('groups').select(COLUMNS).where('name', 'in', names).execute()).map(toCamel)
}

export async function listGroups(db: Queryable, { before, limit }: Window): Promise<GroupRow[]> {
  let query = db.selectFrom('groups').select(COLUMNS).orderBy('id', 'desc').limit(limit)
  if (before) query = query.where('id', '<', before)
  return (await query.execute()).map(toCamel)
}

export async function listGroupsOf(db: Queryable, userId: string): Promise<GroupRow[]> {
  const rows = await db
    .selectFrom('groups')
    .innerJoin('group_members', 'group_members.group_id', 'groups.id')
    .select(COLUMNS)
    .where('group_members.user_id', '=', userId)
    .orderBy('groups.name')
    .execute()
  return rows.map(toCamel)
}

export async function listMembers(db: Queryable, groupId: string): Promise<MemberRow[]> {
  return db
    .selectFrom('group_members')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .select(['users.id as userId', 'users.login'])
    .where('group_members.group_id', '=', groupId)
    .orderBy('users.login')
    .execute()
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
