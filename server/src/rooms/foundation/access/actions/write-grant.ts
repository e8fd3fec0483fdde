import type { GrantQuery } from '@signalbox/contracts/access'
import { foreignKeyViolation, uniqueViolation } from '#platform/database'
import { type Caller, type Page, type RequestOrigin, readCursor, toPage } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { accessProblem } from '../errors.ts'
import { type HeldRole, holdsRole } from '../rules/holdings.ts'
import type { RoleName } from '../rules/permissions.ts'
import { readSubjectRef } from '../rules/subject-ref.ts'
import * as store from '../store/grants.ts'
import { type AccessMeans, changeAccess, takeAccess } from './change-access.ts'

export type { GrantRow } from '../store/grants.ts'

const DEFAULT_LIMIT = 50

export interface NewGrant {
  readonly subject: string
  readonly role: RoleName
  readonly teamPath: string
}

export async function createGrant(means: AccessMeans, origin: RequestOrigin, input: NewGrant): Promise<store.GrantRow> {
  requireGiver(origin.caller, input)
  const subject = readSubjectRef(input.subject)
  if (!subject) throw subjectUnknown(undefined)
  if (input.role === 'administrator' && input.teamPath !== '/') {
    throw platformProblem('invalid_request', 'The role administrator is for the platform: use the team_path "/".', {
      errors: [{ field: 'team_path', message: 'must be "/" for the role administrator' }],
    })
  }
  const id = means.kit.ids.next()
  try {
    return await changeAccess(means, async (tx) => {
      if (input.teamPath !== '/') await means.teams.getTeamByPath(tx, input.teamPath)
      const { role, teamPath } = input
      await store.insertGrant(tx, { id, subject, role, teamPath, createdAt: means.kit.clock.now() })
      const row = await store.findGrant(tx, id)
      if (!row) throw new Error('A grant that was just stored is not there')
      await record(means, tx, origin, 'grant.created', row, { after: shown(row) })
      return row
    })
  } catch (error) {
    if (uniqueViolation(error) === 'grants_taken') {
      throw accessProblem('grant.exists', 'The subject has this role there already.', { cause: error })
    }
    if (foreignKeyViolation(error) !== undefined) throw subjectUnknown(error)
    throw error
  }
}

export async function deleteGrant(means: AccessMeans, origin: RequestOrigin, id: string): Promise<void> {
  const grant = await getVisibleGrant(means, origin.caller, id)
  requireGiver(origin.caller, grant)
  await takeAccess(means, async (tx) => {
    await store.deleteGrant(tx, id)
    await record(means, tx, origin, 'grant.deleted', grant, { before: shown(grant) })
  })
}

export async function getVisibleGrant(means: AccessMeans, caller: Caller, id: string): Promise<store.GrantRow> {
  const grant = await store.findGrant(means.kit.database.kysely, id)
  const visible = caller.can('grant.read', grant?.teamPath ?? '/')
  if (!grant || !visible) throw platformProblem('not_found', 'There is no such grant, or you may not see it.')
  return grant
}

export async function listGrants(means: AccessMeans, caller: Caller, query: GrantQuery): Promise<Page<store.GrantRow>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const rows = await store.listGrants(means.kit.database.kysely, {
    prefixes: caller.prefixes('grant.read'),
    teamPath: query.team_path,
    subject: query.subject === undefined ? undefined : readSubjectRef(query.subject),
    before: readCursor(query.cursor),
    limit: limit + 1,
  })
  return toPage(rows, limit)
}

/** Nobody gives, or takes away, more than they have themselves. */
function requireGiver(caller: Caller, held: HeldRole): void {
  if (!caller.can('grant.write', held.teamPath)) {
    throw platformProblem('forbidden', `You need the permission grant.write on ${held.teamPath}.`)
  }
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
    subject: `${row.subject.kind}:${row.subject.id}`,
    subject_name: row.subjectName,
    role: row.role,
    team_path: row.teamPath,
  }
}

async function record(
  means: AccessMeans,
  tx: Parameters<AccessMeans['audit']['record']>[0],
  origin: RequestOrigin,
  action: string,
  row: store.GrantRow,
  change: { readonly before?: unknown; readonly after?: unknown },
): Promise<void> {
  const resource = { kind: 'grant', id: row.id }
  await means.audit.record(tx, { origin, action, resource, teamPath: row.teamPath, ...change })
}
