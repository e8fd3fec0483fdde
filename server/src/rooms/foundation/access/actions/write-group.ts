import type { SubjectListQuery } from '@signalbox/contracts/access'
import { foreignKeyViolation, uniqueViolation } from '#platform/database'
import { type Caller, type Page, pageOf, type RequestOrigin, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { accessProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import * as store from '../store/groups.ts'
import { changeAccess, takeAccess } from './change-access.ts'
import { maySeeUsers } from './read-users.ts'

export interface Membership {
  readonly groupId: string
  readonly userId: string
}

export async function createGroup(means: Means, origin: RequestOrigin, name: string): Promise<store.GroupRow> {
  requirePermission(origin.caller, 'user.write', '/')
  const group = { id: means.ids.next(), name, createdAt: means.clock.now() }
  try {
    await changeAccess(means, async (tx) => {
      await store.insertGroup(tx, group)
      await means.audit.record(tx, { origin, ...about(group), action: 'group.created', after: { name } })
    })
    return group
  } catch (error) {
    if (uniqueViolation(error) !== 'groups_name_taken') throw error
    throw accessProblem('group.name_taken', `There is a group called ${name} already.`, { cause: error })
  }
}

export async function deleteGroup(means: Means, origin: RequestOrigin, id: string): Promise<void> {
  const group = await getWritableGroup(means, origin.caller, id)
  await takeAccess(means, async (tx) => {
    if (!(await store.deleteGroup(tx, id))) throw platformProblem('not_found', 'The group was deleted meanwhile.')
    await means.audit.record(tx, { origin, ...about(group), action: 'group.deleted', before: { name: group.name } })
  })
}

export async function addMember(means: Means, origin: RequestOrigin, { groupId, userId }: Membership): Promise<void> {
  const group = await getWritableGroup(means, origin.caller, groupId)
  try {
    await changeAccess(means, async (tx) => {
      await store.addMember(tx, groupId, userId)
      const after = { user_id: userId }
      await means.audit.record(tx, { origin, ...about(group), action: 'group.member_added', after })
    })
  } catch (error) {
    if (foreignKeyViolation(error) === undefined) throw error
    throw platformProblem('not_found', 'There is no such user or group.', { cause: error })
  }
}

export async function removeMember(
  means: Means,
  origin: RequestOrigin,
  { groupId, userId }: Membership,
): Promise<void> {
  const group = await getWritableGroup(means, origin.caller, groupId)
  await takeAccess(means, async (tx) => {
    if (!(await store.removeMember(tx, groupId, userId))) {
      throw platformProblem('not_found', 'The user is not a member of the group.')
    }
    const before = { user_id: userId }
    await means.audit.record(tx, { origin, ...about(group), action: 'group.member_removed', before })
  })
}

async function getWritableGroup(means: Means, caller: Caller, id: string): Promise<store.GroupRow> {
  const group = await getVisibleGroup(means, caller, id)
  requirePermission(caller, 'user.write', '/')
  return group
}

export async function getVisibleGroup(means: Means, caller: Caller, id: string): Promise<store.GroupRow> {
  const group = maySeeUsers(caller) ? await store.findGroup(means.database.kysely, id) : undefined
  if (!group) throw platformProblem('not_found', 'There is no such group, or you may not see it.')
  return group
}

export async function listMembers(means: Means, caller: Caller, id: string): Promise<readonly store.MemberRow[]> {
  await getVisibleGroup(means, caller, id)
  return store.listMembers(means.database.kysely, id)
}

export function listGroups(means: Means, caller: Caller, query: SubjectListQuery): Promise<Page<store.GroupRow>> {
  const seesAll = maySeeUsers(caller)
  return pageOf(query, async (window) => (seesAll ? store.listGroups(means.database.kysely, window) : []))
}

function about({ id }: store.GroupRow) {
  return { resource: { kind: 'group', id }, teamPath: '/' }
}
