import { foreignKeyViolation, type Tx, uniqueViolation } from '#platform/database'
import { type Caller, checkIfMatch, etagOf, laterThan, type RequestOrigin, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { teamProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import * as store from '../store.ts'
import { getVisibleTeam } from './find-team.ts'

export interface EnvironmentPlace {
  /** Uuid or path. */
  readonly team: string
  readonly name: string
}

export interface EnvironmentInput extends EnvironmentPlace {
  readonly protected: boolean | undefined
  readonly allowedSubjects: readonly string[] | undefined
}

export interface WrittenEnvironment {
  readonly team: store.TeamRow
  readonly environment: store.EnvironmentRow
}

export async function createEnvironment(
  means: Means,
  origin: RequestOrigin,
  input: EnvironmentInput,
): Promise<WrittenEnvironment> {
  try {
    return await means.database.transaction(async (tx) => {
      const team = await getWritableTeam(tx, origin.caller, input.team)
      const now = means.clock.now()
      const environment: store.EnvironmentRow = {
        id: means.ids.next(),
        teamId: team.id,
        name: input.name,
        protected: input.protected ?? false,
        allowedSubjects: input.allowedSubjects ?? [],
        createdAt: now,
        updatedAt: now,
      }
      if (environment.protected || environment.allowedSubjects.length > 0) requireGranter(origin.caller, team)
      await store.insertEnvironment(tx, environment)
      const after = shown(environment)
      await means.audit.record(tx, { origin, ...about(team, environment), action: 'environment.created', after })
      return { team, environment }
    })
  } catch (error) {
    if (uniqueViolation(error) === 'environments_name_taken') {
      throw teamProblem('environment.name_taken', `The team has an environment called ${input.name} already.`)
    }
    if (foreignKeyViolation(error)) throw platformProblem('not_found', 'The team was deleted meanwhile.')
    throw error
  }
}

export async function updateEnvironment(
  means: Means,
  origin: RequestOrigin,
  input: EnvironmentInput,
): Promise<WrittenEnvironment> {
  return means.database.transaction(async (tx) => {
    const team = await getWritableTeam(tx, origin.caller, input.team)
    const before = await getLocked(tx, team, input.name)
    checkIfMatch(origin.ifMatch, etagOf(before.updatedAt))
    const environment: store.EnvironmentRow = {
      ...before,
      protected: input.protected ?? before.protected,
      allowedSubjects: input.allowedSubjects ?? before.allowedSubjects,
      updatedAt: laterThan(before.updatedAt, means.clock.now()),
    }
    requireGranter(origin.caller, team)
    await store.updateEnvironment(tx, environment)
    const states = { before: shown(before), after: shown(environment) }
    await means.audit.record(tx, { origin, ...about(team, before), action: 'environment.updated', ...states })
    return { team, environment }
  })
}

export async function deleteEnvironment(means: Means, origin: RequestOrigin, place: EnvironmentPlace): Promise<void> {
  await means.database.transaction(async (tx) => {
    const team = await getWritableTeam(tx, origin.caller, place.team)
    const before = await getLocked(tx, team, place.name)
    // Otherwise an editor could delete a protected environment and make it anew without protection.
    if (before.protected) requireGranter(origin.caller, team)
    await store.deleteEnvironment(tx, before.id)
    const state = { before: shown(before) }
    await means.audit.record(tx, { origin, ...about(team, before), action: 'environment.deleted', ...state })
  })
}

async function getWritableTeam(tx: Tx, caller: Caller, idOrPath: string): Promise<store.TeamRow> {
  const team = await getVisibleTeam(tx, caller, idOrPath)
  requirePermission(caller, 'environment.write', team.path)
  return team
}

async function getLocked(tx: Tx, team: store.TeamRow, name: string): Promise<store.EnvironmentRow> {
  const environment = await store.lockEnvironment(tx, team.id, name)
  if (!environment) throw platformProblem('not_found', `The team ${team.path} has no environment called ${name}.`)
  return environment
}

/** Protection decides who may do something, so changing it is a matter of grants, not of environments. */
function requireGranter(caller: Caller, team: store.TeamRow): void {
  requirePermission(caller, 'grant.write', team.path)
}

function about(team: store.TeamRow, { id }: store.EnvironmentRow) {
  return { resource: { kind: 'environment', id }, teamPath: team.path }
}

function shown(row: store.EnvironmentRow): Readonly<Record<string, unknown>> {
  return { name: row.name, protected: row.protected, allowed_subjects: row.allowedSubjects }
}
