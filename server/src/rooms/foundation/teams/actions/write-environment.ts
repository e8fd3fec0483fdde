import { foreignKeyViolation, type Tx, uniqueViolation } from '#platform/database'
import { type Caller, checkIfMatch, etagOf, laterThan, type RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { teamProblem } from '../errors.ts'
import type { TeamNeeds } from '../index.ts'
import * as store from '../store.ts'
import { getVisibleTeam } from './find-team.ts'

export interface Protection {
  readonly protected: boolean | undefined
  readonly allowedSubjects: readonly string[] | undefined
}

export interface WrittenEnvironment {
  readonly team: store.TeamRow
  readonly environment: store.EnvironmentRow
}

export async function createEnvironment(
  kit: Kit,
  needs: TeamNeeds,
  origin: RequestOrigin,
  idOrPath: string,
  input: Protection & { readonly name: string },
): Promise<WrittenEnvironment> {
  try {
    return await kit.database.transaction(async (tx) => {
      const team = await getWritableTeam(tx, origin.caller, idOrPath)
      const now = kit.clock.now()
      const environment: store.EnvironmentRow = {
        id: kit.ids.next(),
        teamId: team.id,
        name: input.name,
        protected: input.protected ?? false,
        allowedSubjects: input.allowedSubjects ?? [],
        createdAt: now,
        updatedAt: now,
      }
      if (environment.protected || environment.allowedSubjects.length > 0) requireGranter(origin.caller, team.path)
      await store.insertEnvironment(tx, environment)
      await record(needs, tx, origin, 'environment.created', team, undefined, environment)
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

export async function changeEnvironment(
  kit: Kit,
  needs: TeamNeeds,
  origin: RequestOrigin,
  at: { readonly team: string; readonly name: string; readonly ifMatch: string | string[] | undefined },
  change: Protection,
): Promise<WrittenEnvironment> {
  return kit.database.transaction(async (tx) => {
    const team = await getWritableTeam(tx, origin.caller, at.team)
    const before = await getLocked(tx, team, at.name)
    checkIfMatch(at.ifMatch, etagOf(before.updatedAt))
    const environment: store.EnvironmentRow = {
      ...before,
      protected: change.protected ?? before.protected,
      allowedSubjects: change.allowedSubjects ?? before.allowedSubjects,
      updatedAt: laterThan(before.updatedAt, kit.clock.now()),
    }
    requireGranter(origin.caller, team.path)
    await store.saveProtection(tx, environment)
    await record(needs, tx, origin, 'environment.updated', team, before, environment)
    return { team, environment }
  })
}

export async function deleteEnvironment(
  kit: Kit,
  needs: TeamNeeds,
  origin: RequestOrigin,
  at: { readonly team: string; readonly name: string },
): Promise<void> {
  await kit.database.transaction(async (tx) => {
    const team = await getWritableTeam(tx, origin.caller, at.team)
    const before = await getLocked(tx, team, at.name)
    // Otherwise an editor could delete a protected environment and make it anew without protection.
    if (before.protected) requireGranter(origin.caller, team.path)
    await store.deleteEnvironment(tx, before.id)
    await record(needs, tx, origin, 'environment.deleted', team, before, undefined)
  })
}

async function getWritableTeam(tx: Tx, caller: Caller, idOrPath: string): Promise<store.TeamRow> {
  const team = await getVisibleTeam(tx, caller, idOrPath)
  if (!caller.can('environment.write', team.path)) {
    throw platformProblem('forbidden', `You need the permission environment.write on ${team.path}.`)
  }
  return team
}

async function getLocked(tx: Tx, team: store.TeamRow, name: string): Promise<store.EnvironmentRow> {
  const environment = await store.lockEnvironment(tx, team.id, name)
  if (!environment) throw platformProblem('not_found', `The team ${team.path} has no environment called ${name}.`)
  return environment
}

/** Protection decides who may do something, so changing it is a matter of grants, not of environments. */
function requireGranter(caller: Caller, teamPath: string): void {
  if (caller.can('grant.write', teamPath)) return
  throw platformProblem('forbidden', `Protecting an environment needs the permission grant.write on ${teamPath}.`)
}

async function record(
  needs: TeamNeeds,
  tx: Tx,
  origin: RequestOrigin,
  action: string,
  team: store.TeamRow,
  before: store.EnvironmentRow | undefined,
  after: store.EnvironmentRow | undefined,
): Promise<void> {
  const id = (after ?? before)?.id ?? ''
  await needs.audit.record(tx, {
    origin,
    action,
    resource: { kind: 'environment', id },
    teamPath: team.path,
    before: before && shown(before),
    after: after && shown(after),
  })
}

function shown(row: store.EnvironmentRow): Readonly<Record<string, unknown>> {
  return { name: row.name, protected: row.protected, allowed_subjects: row.allowedSubjects }
}
