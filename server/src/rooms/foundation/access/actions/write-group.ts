import { foreignKeyViolation, uniqueViolation } from '#platform/database'
import { type Caller, type Page, type RequestOrigin, readCursor, toPage } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { accessProblem } from '../errors.ts'
import * as store from '../store/groups.ts'
import { type AccessMeans, changeAccess, requirePlatform, takeAccess } from './change-access.ts'
import { maySeeUsers } from './read-users.ts'

export type { GroupRow } from '../store/groups.ts'

const DEFAULT_LIMIT = 50

export async function createGroup(means: AccessMeans, origin: RequestOrigin, name: string): Promise<store.GroupRow> {
  requirePlatform(origin, 'user.write')
  const row = { id: means.kit.ids.next(), name, createdAt: means.kit.clock.now() }
  try {
    await changeAccess(means, async (tx) => {
      await store.insertGroup(tx, row)
      await record(means, tx, origin, 'group.created', row, { after: { name } })
    })
    return row
  } catch (error) {
    if (uniqueViolation(error) !== 'groups_name_taken') throw error
    throw accessProblem('group.name_taken', `There is a group called ${name} already.`, { cause: error })
  }
}

export async function deleteGroup(means: AccessMeans, origin: RequestOrigin, id: string): Promise<void> {
  const group = await getVisibleGroup(means, origin.caller, id)
  requirePlatform(origin, 'user.write')
  await takeAccess(means, async (tx) => {
    await store.deleteGroup(tx, id)
    await record(means, tx, origin, 'group.deleted', group, { before: { name: group.name } })
  })
}

export async function addMember(
  means: AccessMeans,
  origin: RequestOrigin,
  groupId: string,
  userId: string,
): Promise<void> {
  const group = await getVisibleGroup(means, origin.caller, groupId)
  requirePlatform(origin, 'user.write')
  try {
    await changeAccess(means, async (tx) => {
      await store.addMember(tx, groupId, userId)
      await record(means, tx, origin, 'group.member_added', group, { after: { user_id: userId } })
    })
  } catch (error) {
    if (foreignKeyViolation(error) === undefined) throw error
    throw platformProblem('not_found', 'There is no such user or group.', { cause: error })
  }
}

export async function removeMember(
  means: AccessMeans,
  origin: RequestOrigin,
  groupId: string,
  userId: string,
): Promise<void> {
  const group = await getVisibleGroup(means, origin.caller, groupId)
  requirePlatform(origin, 'user.write')
  await takeAccess(means, async (tx) => {
    if (!(await store.removeMember(tx, groupId, userId))) {
      throw platformProblem('not_found', 'The user is not a member of the group.')
    }
    await record(means, tx, origin, 'group.member_removed', group, { before: { user_id: userId } })
  })
}

export async function getVisibleGroup(means: AccessMeans, caller: Caller, id: string): Promise<store.GroupRow> {
  const group = maySeeUsers(caller) ? await store.findGroup(means.kit.database.kysely, id) : undefined
  if (!group) throw platformProblem('not_found', 'There is no such group, or you may not see it.')
  return group
}

export async function listMembers(means: AccessMeans, caller: Caller, id: string): Promise<readonly store.MemberRow[]> {
  await getVisibleGroup(means, caller, id)
  return store.listMembers(means.kit.database.kysely, id)
}

export async function listGroups(
  means: AccessMeans,
  caller: Caller,
  query: { readonly limit?: number; readonly cursor?: string },
): Promise<Page<store.GroupRow>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const before = readCursor(query.cursor)
  if (!maySeeUsers(caller)) return { items: [], next: undefined }
  return toPage(await store.listGroups(means.kit.database.kysely, { before, limit: limit + 1 }), limit)
}

async function record(
  means: AccessMeans,
  tx: Parameters<AccessMeans['audit']['record']>[0],
  origin: RequestOrigin,
  action: string,
  group: store.GroupRow,
  change: { readonly before?: unknown; readonly after?: unknown },
): Promise<void> {
  const resource = { kind: 'group', id: group.id }
  await means.audit.record(tx, { origin, action, resource, teamPath: '/', ...change })
}
