import type { GrantQuery, Role } from '@signalbox/contracts/access'
import { foreignKeyViolation, uniqueViolation } from '#platform/database'
import { type Caller, type Page, pageOf, type RequestOrigin, requirePermission, requireVisible } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { accessProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { type HeldRole, holdsRole } from '../rules/holdings.ts'
import { readSubjectRef } from '../rules/subject-ref.ts'
import * as store from '../store/grants.ts'
import { changeAccess, takeAccess } from './change-access.ts'

export interface NewGrant {
  readonly subject: string
  readonly role: Role
  readonly teamPath: string
}

export async function createGrant(means: Means, origin: RequestOrigin, input: NewGrant): Promise<store.GrantRow> {
  requireGiver(origin.caller, input)
  const subject = readSubjectRef(input.subject)
  if (!subject) throw subjectUnknown(undefined)
  if (input.role === 'administrator' && input.teamPath !== '/') {
    throw platformProblem('invalid_request', 'The role administrator is for the platform: use the team_path "/".', {
      errors: [{ field: 'team_path', message: 'must be "/" for the role administrator' }],
    })
  }
  const id = means.ids.next()
  const { kind: subjectKind, id: subjectId } = subject
  const { role, teamPath } = input
  try {
    return await changeAccess(means, async (tx) => {
      if (teamPath !== '/') await means.teams.getTeamByPath(tx, teamPath)
      await store.insertGrant(tx, { id, subjectKind, subjectId, role, teamPath, createdAt: means.clock.now() })
      const row = await store.findGrant(tx, id)
      if (!row) throw new Error('A grant that was just stored is not there')
      await means.audit.record(tx, { origin, ...about(row), action: 'grant.created', after: shown(row) })
      return row
    })
  } catch (error) {
    if (uniqueViolation(error) === 'grants_taken') {
      throw accessProblem('grant.exists', 'The subject has this role there already.', { cause: error })
    }
    const violated = foreignKeyViolation(error)
    // The team may have been deleted as well.
    if (violated !== undefined && violated !== 'grants_team_ref_fkey') throw subjectUnknown(error)
    throw error
  }
}

export async function deleteGrant(means: Means, origin: RequestOrigin, id: string): Promise<void> {
  const grant = await getVisibleGrant(means, origin.caller, id)
  requireGiver(origin.caller, grant)
  await takeAccess(means, async (tx) => {
    if (!(await store.deleteGrant(tx, id))) throw platformProblem('not_found', 'The grant was deleted meanwhile.')
    await means.audit.record(tx, { origin, ...about(grant), action: 'grant.deleted', before: shown(grant) })
  })
}

export async function getVisibleGrant(means: Means, caller: Caller, id: string): Promise<store.GrantRow> {
  const grant = await store.findGrant(means.database.kysely, id)
  return requireVisible(caller, 'grant.read', grant, () =>
    platformProblem('not_found', 'There is no such grant, or you may not see it.'),
  )
}

export function listGrants(means: Means, caller: Caller, query: GrantQuery): Promise<Page<store.GrantRow>> {
  const filter = {
    prefixes: caller.prefixes('grant.read'),
    teamPath: query.team_path,
    subject: query.subject === undefined ? undefined : readSubjectRef(query.subject),
  }
  return pageOf(query, (window) => store.listGrants(means.database.kysely, { ...window, ...filter }))
}

/** Nobody gives, or takes away, more than they have themselves. */
function requireGiver(caller: Caller, held: HeldRole): void {
  requirePermission(caller, 'grant.write', held.teamPath)
  if (holdsRole(caller, held)) return
  throw accessProblem('grant.exceeds_own', `The role ${held.role} has permissions that you lack on ${held.teamPath}.`)
}

function subjectUnknown(cause: unknown): Error {
  return platformProblem('invalid_request', 'There is no such subject.', {
    cause,
    errors: [{ field: 'subject', message: 'must be a user, group or service account that exists' }],
  })
}

function shown(row: store.GrantRow): Readonly<Record<string, unknown>> {
  return {
    subject: `${row.subjectKind}:${row.subjectId}`,
    subject_name: row.subjectName,
    role: row.role,
    team_path: row.teamPath,
  }
}

function about({ id, teamPath }: store.GrantRow) {
  return { resource: { kind: 'grant', id }, teamPath }
}
