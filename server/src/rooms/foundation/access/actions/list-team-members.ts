import type { TeamMember, TeamMemberQuery } from '@signalbox/contracts/members'
import { type Caller, type Page, pageOf, requirePermission, requireVisible } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { pathAndAbove } from '../rules/holdings.ts'
import { compareRights } from '../rules/member-rights.ts'
import * as store from '../store/members.ts'
import { maySeeUsers } from './read-users.ts'

/** A member, by the id of its subject. */
export interface Member {
  readonly id: string
  readonly member: TeamMember
}

/**
 * Everybody who has a right at a team, for those who read its grants. A grant of a team above, or through a group, that they
 * may not see is told of and not shown. Subjects that they may not know are one last entry. Throws not_found (404),
 * forbidden (403).
 */
export async function listTeamMembers(
  means: Means,
  caller: Caller,
  { id, ...query }: TeamMemberQuery & { readonly id: string },
): Promise<Page<Member>> {
  const db = means.database.kysely
  const { path } = requireVisible(caller, 'team.read', await means.teams.findTeam(db, id), () =>
    platformProblem('not_found', 'There is no such team, or you may not see it.'),
  )
  requirePermission(caller, 'grant.read', path)
  const reader = readerOf(caller, path)
  const { kind, role, origin, name } = query
  return pageOf(query, async (window) => {
    const rows = await store.listMemberRights(db, reader, { ...window, kind, role, origin, name })
    const members = [...Map.groupBy(rows, ({ subjectId }) => subjectId)].map(([subjectId, rights]) => ({
      id: subjectId,
      member: presentMember(rights),
    }))
    const isLast = members.length < window.limit
    const isOfAll =
      kind === undefined && role === undefined && name === undefined && (origin ?? 'inherited') === 'inherited'
    if (!isLast || !isOfAll || !(await store.hasHiddenMembers(db, reader))) return members
    return [...members, OTHERS]
  })
}

function readerOf(caller: Caller, path: string): store.MemberReader {
  const paths = pathAndAbove(path)
  return {
    path,
    paths,
    readable: paths.filter((each) => caller.can('grant.read', each)),
    self: `${caller.kind}:${caller.id}`,
    seesUsers: maySeeUsers(caller),
    accountPrefixes: caller.prefixes('service_account.read'),
  }
}

/** Stands for those whom the reader may not know; behind every id. */
const OTHERS: Member = {
  id: '00000000-0000-0000-0000-000000000000',
  member: { subject: null, subject_name: null, disabled: false, rights: [], hidden_rights: true },
}

function presentMember(rows: readonly store.MemberRightRow[]): TeamMember {
  const [first] = rows
  if (!first) throw new Error('A member has rights')
  const shown = rows.filter(({ isShown }) => isShown).toSorted(compareRights)
  return {
    subject: `${first.kind}:${first.subjectId}`,
    subject_name: first.name,
    disabled: first.disabled,
    rights: shown.map(presentRight),
    hidden_rights: shown.length < rows.length,
  }
}

function presentRight(row: store.MemberRightRow): TeamMember['rights'][number] {
  const { grantId, role, teamPath, origin, groupId, groupName, createdAt } = row
  return {
    grant_id: grantId,
    role,
    team_path: teamPath,
    origin,
    group: groupId === null ? null : { id: groupId, name: groupName ?? '' },
    created_at: createdAt.toISOString(),
  }
}
