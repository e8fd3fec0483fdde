import type { AccessReason, AccessRemedy } from '@signalbox/contracts/access'
import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import { giverOf } from '../rules/explain-access.ts'
import type { HeldRole } from '../rules/holdings.ts'
import { type GrantRow, listGrants } from '../store/grants.ts'
import type { GroupRow } from '../store/groups.ts'
import { maySeeUsers } from './read-users.ts'

const MAX_GIVERS = 10
/** Grants that are looked through for names; further owners are left out. */
const MAX_READ = 1000

export interface ShownGrant extends GrantRow {
  readonly groupName: string | undefined
}

/** Those of the grants that the caller may read, the nearest first, and each with who made it as far as that may be seen. */
export async function describeGrants(
  means: Means,
  caller: Caller,
  grants: readonly GrantRow[],
  groups: ReadonlyMap<string, GroupRow>,
): Promise<{ readonly shown: readonly ShownGrant[]; readonly reasons: AccessReason[] }> {
  const shown = grants
    .filter((grant) => caller.can('grant.read', grant.teamPath))
    .toSorted((left, right) => right.teamPath.length - left.teamPath.length)
    .map((grant) => ({ ...grant, groupName: groups.get(grant.subjectId)?.name }))
  const reasons = shown.map((grant) => describeGrant(means, caller, grant, groups.get(grant.subjectId)))
  return { shown, reasons: await Promise.all(reasons) }
}

async function describeGrant(
  means: Means,
  caller: Caller,
  grant: GrantRow,
  group: GroupRow | undefined,
): Promise<AccessReason> {
  const { id, role, teamPath, createdAt } = grant
  const changes = caller.can('audit.read', teamPath)
    ? await means.audit.listChanges(means.database.kysely, { kind: 'grant', id }, 1)
    : []
  return {
    grant_id: id,
    role,
    team_path: teamPath,
    group: group === undefined ? null : { id: group.id, name: group.name },
    created_at: createdAt.toISOString(),
    created_by: changes.find(({ action }) => action === 'grant.created')?.actorName ?? null,
  }
}

/** Each with those who can make the grant, as far as the caller may see them: owners before administrators. */
export async function findRemedies(means: Means, caller: Caller, wanted: readonly HeldRole[]): Promise<AccessRemedy[]> {
  const snapshot = await means.keeper.get()
  const named = await listNamedUsers(means, caller)
  return wanted.map(({ role, teamPath }) => {
    const givers = snapshot
      .listNamed(`role:${giverOf(role)}`, teamPath)
      .filter(({ kind, id }) => kind === 'user' && named(id))
      .toSorted((left, right) => Number(left.can('grant.write', '/')) - Number(right.can('grant.write', '/')))
    return { role, team_path: teamPath, givers: givers.slice(0, MAX_GIVERS).map(({ name }) => name) }
  })
}

/** Whether the caller may know a user: from the list of users, or from a grant that the caller reads. */
async function listNamedUsers(means: Means, caller: Caller): Promise<(id: string) => boolean> {
  if (maySeeUsers(caller)) return () => true
  const prefixes = caller.prefixes('grant.read')
  const grants = await listGrants(means.database.kysely, { prefixes, before: undefined, limit: MAX_READ })
  const ids = new Set(grants.filter(({ subjectKind }) => subjectKind === 'user').map(({ subjectId }) => subjectId))
  return (id) => ids.has(id) || (caller.kind === 'user' && caller.id === id)
}
