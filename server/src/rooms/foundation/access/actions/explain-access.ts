import type { AccessExplanation, AccessExplanationQuery } from '@signalbox/contracts/access'
import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import { type Problem, platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { explainAccess, remediesFor } from '../rules/explain-access.ts'
import { pathAndAbove } from '../rules/holdings.ts'
import { ROLES } from '../rules/permissions.ts'
import { readSubjectRef, type SubjectRefParts } from '../rules/subject-ref.ts'
import { listGrants, listGrantsAt } from '../store/grants.ts'
import { findGroup, type GroupRow, listGroupsOf } from '../store/groups.ts'
import { findServiceAccount } from '../store/service-accounts.ts'
import { findUser } from '../store/users.ts'
import { describeGrants, findRemedies } from './describe-access.ts'
import { explainOwnAccess } from './explain-own-access.ts'
import { maySeeUsers } from './read-users.ts'

interface KnownSubject {
  readonly name: string
  readonly disabled: boolean
  /** Of a user. */
  readonly groups: readonly GroupRow[]
  /** The caller may know in which groups it is. */
  readonly showsGroups: boolean
}

/**
 * Whether a subject may do something at a team, and by which grants. Everybody may ask about themselves; about others,
 * whoever may read the grants of that team. A grant of a team above that the caller may not read counts and is not shown.
 * Throws not_found (404).
 */
export async function explainAccessOf(
  means: Means,
  caller: Caller,
  query: AccessExplanationQuery,
): Promise<AccessExplanation> {
  const { subject, permission, team_path: teamPath } = query
  const own = `${caller.kind}:${caller.id}`
  if (subject === undefined || subject === own) return explainOwnAccess(means, caller, { permission, teamPath })
  return explainOthersAccess(means, caller, { ...query, subject })
}

async function explainOthersAccess(
  means: Means,
  caller: Caller,
  query: AccessExplanationQuery & { readonly subject: string },
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
  const visible = giving.filter((grant) => subject.showsGroups || !groups.has(grant.subjectId))
  const { shown, reasons } = await describeGrants(means, caller, visible, groups)
  const hidden = shown.length < giving.length
  const remedies =
    allowed || subject.disabled ? [] : await findRemedies(means, caller, remediesFor(permission, teamPath))
  const findings = explainAccess({
    reference,
    name: `${ref.kind}:${subject.name}`,
    permission,
    teamPath,
    disabled: subject.disabled,
    grants: shown,
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
    token_limit: null,
    sentence: findings.map(({ sentence }) => sentence).join(' '),
    findings,
    grants: reasons,
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
  const prefixes = caller.prefixes('grant.read')
  const [grant] = await listGrants(db, { prefixes, subject: ref, before: undefined, limit: 1 })
  // Who reads a grant reads the name of its subject.
  const isNamed = grant !== undefined
  const seesUsers = maySeeUsers(caller)
  switch (ref.kind) {
    case 'user': {
      const user = await findUser(db, ref.id)
      if (!user || !(isNamed || seesUsers)) return undefined
      const groups = await listGroupsOf(db, ref.id)
      return { name: user.login, disabled: user.disabledAt !== null, groups, showsGroups: seesUsers }
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
