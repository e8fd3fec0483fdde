import type { Tx } from '#platform/database'
import type { RequestOrigin } from '#platform/http'
import type { Means } from '../means.ts'
import * as store from '../store/groups.ts'
import { takeAccess } from './change-access.ts'

export interface WantedMemberships {
  readonly userId: string
  /** Names of groups, and whether the user is to be in each; other groups stay as they are. */
  readonly groups: ReadonlyMap<string, boolean>
}

interface MembershipChange {
  readonly userId: string
  readonly groupId: string
  readonly isAdded: boolean
}

/**
 * Makes the memberships of the named groups what they ought to be; answers the names that no group has. Throws
 * access.last_administrator (409) and changes nothing where that would leave no administrator.
 */
export async function setMemberships(
  means: Means,
  origin: RequestOrigin,
  { userId, groups }: WantedMemberships,
): Promise<readonly string[]> {
  const { kysely } = means.database
  const found = await store.findGroupsByName(kysely, [...groups.keys()])
  const held = new Set((await store.listGroupsOf(kysely, userId)).map(({ id }) => id))
  const changes = found
    .map(({ id, name }) => ({ userId, groupId: id, isAdded: groups.get(name) === true }))
    .filter(({ groupId, isAdded }) => held.has(groupId) !== isAdded)
  if (changes.length > 0) {
    await takeAccess(means, async (tx) => {
      for (const change of changes) await changeMembership(means, tx, origin, change)
    })
  }
  const known = new Set(found.map(({ name }) => name))
  return [...groups.keys()].filter((name) => !known.has(name))
}

async function changeMembership(means: Means, tx: Tx, origin: RequestOrigin, change: MembershipChange): Promise<void> {
  const { userId, groupId, isAdded } = change
  if (isAdded) await store.addMember(tx, groupId, userId)
  else if (!(await store.removeMember(tx, groupId, userId))) return
  const record = { origin, resource: { kind: 'group', id: groupId }, teamPath: '/' }
  const member = { user_id: userId }
  if (isAdded) await means.audit.record(tx, { ...record, action: 'group.member_added', after: member })
  else await means.audit.record(tx, { ...record, action: 'group.member_removed', before: member })
}
