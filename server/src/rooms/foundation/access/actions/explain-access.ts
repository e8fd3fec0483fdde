import type { AccessExplanation, AccessExplanationQuery, AccessReason } from '@signalbox/contracts/access'
import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import { type Problem, platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { explainAccess, giverOf, remediesFor } from '../rules/explain-access.ts'
import { type HeldRole, pathAndAbove } from '../rules/holdings.ts'
import { ROLES } from '../rules/permissions.ts'
import { readSubjectRef, type SubjectRefParts } from '../rules/subject-ref.ts'
import { type GrantRow, listGrants, listGrantsAt } from '../store/grants.ts'
import { findGroup, type GroupRow, listGroupsOf } from '../store/groups.ts'
import { findServiceAccount } from '../store/service-accounts.ts'
import { findUser } from '../store/users.ts'
import { maySeeUsers } from './read-users.ts'

const MAX_GIVERS = 10

interface KnownSubject {
  readonly name: string
  readonly disabled: boolean
  /** Of a user. */
  readonly groups: readonly GroupRow[]
  /** The caller may know in which groups it is. */
  readonly showsGroups: boolean
}

/**
 * Whether a subject may do something at a team, and by which grants. For those who may read the grants of that team; a grant
 * of a team above that they may not read counts and is not shown. Throws not_found (404).
 */
export async function explainAccessOf(
  means: Means,
  caller: Caller,
  query: AccessExplanationQuery,
): Promise<AccessExplanation> {
  const db = means.database.kysely
  const { subject: reference, permission, team_path: teamPath } = query
  const ref = readSubjectRef(reference)
  const subject = ref && (await findSubject(db, caller, ref))
  const isTeam = teamPath === '/' || (await means.teams.findTeam(db, teamPath))?.path === teamPath
  if (!caller.can('grant.read', teamPath) || !isTeam) throw unknown('team')
  if (!ref || !subject) throw unknown('subject')

  const groups = new Map(subject.groups.map((group) => [group.id, group]))
  const wanted = { teamPaths: pathAndAbove(teamPath), groupIds: [...groups.keys()] }
  const giving = (await listGrantsAt(db, ref, wanted)).filter(({ role }) => ROLES[role].includes(permission))
  const allowed = giving.length > 0 && !subject.disabled
  const shown = giving
    .filter((grant) => caller.can('grant.read', grant.teamPath))
    .filter((grant) => subject.showsGroups || !groups.has(grant.subjectId))
    .toSorted((left, right) => right.teamPath.length - left.teamPath.length)
  const hidden = shown.length < giving.length
  const remedies =
    allowed || subject.disabled ? [] : await findRemedies(means, caller, remediesFor(permission, teamPath))
  const name = `${ref.kind}:${subject.name}`
  const sentence = explainAccess({
    name,
    permission,
    teamPath,
    disabled: subject.disabled,
    grants: shown.map((grant) => ({ ...grant, groupName: groups.get(grant.subjectId)?.name })),
    hidden,
    remedy: remedies[0] && { ...remedies[0], teamPath: remedies[0].team_path },
  })
  return {
    subject: reference,
    subject_name: subject.name,
    permission,
    team_path: teamPath,
    allowed,
    disabled: subject.disabled,
    sentence,
    grants: await Promise.all(shown.map((grant) => describeGrant(means, caller, grant, groups.get(grant.subjectId)))),
    hidden_grants: hidden,
    remedies,
  }
}

function unknown(what: 'team' | 'subject'): Problem {
  return platformProblem(
    'not_found',
    what === 'team'
      ? 'There is no such team, or you may not read its grants.'
      : 'There is no such subject that you may see.',
  )
}

/** Undefined for one that does not exist, and for one that the caller may not see. */
async function findSubject(db: Queryable, caller: Caller, ref: SubjectRefParts): Promise<KnownSubject | undefined> {
  const isCaller = caller.kind === ref.kind && caller.id === ref.id
  const prefixes = caller.prefixes('grant.read')
  const [grant] = await listGrants(db, { prefixes, subject: ref, before: undefined, limit: 1 })
  // Who reads a grant reads the name of its subject.
  const isNamed = isCaller || grant !== undefined
  const seesUsers = maySeeUsers(caller)
  switch (ref.kind) {
    case 'user': {
      const user = await findUser(db, ref.id)
      if (!user || !(isNamed || seesUsers)) return undefined
      const groups = await listGroupsOf(db, ref.id)
      return { name: user.login, disabled: user.disabledAt !== null, groups, showsGroups: isCaller || seesUsers }
    }
    case 'group': {
      const group = await findGroup(db, ref.id)
      if (!group || !(isNamed || seesUsers)) return undefined
      return { name: group.name, disabled: false, groups: [], showsGroups: true }
    }
    case 'service_account': {
      const account = await findServiceAccount(db, ref.id)
      const maySee = isNamed || caller.can('service_account.read', account?.teamPath ?? '/')
      if (!account || !maySee) return undefined
      const name = `${account.teamPath}/${account.name}`
      return { name, disabled: account.disabledAt !== null, groups: [], showsGroups: true }
    }
    default:
      return ref.kind satisfies never
  }
}

/** Each with those who can make the grant, as far as the caller may see them: owners before administrators. */
async function findRemedies(means: Means, caller: Caller, wanted: readonly HeldRole[]) {
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

/** Grants that are looked through for names; further owners are left out. */
const MAX_READ = 1000

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
