import * as shapes from '@signalbox/contracts/teams'
import { teamRoutes as stated } from '@signalbox/contracts/teams/routes'
import { answer, etagOf, linkNext, originOf, type Route, serve } from '#platform/http'
import type { Kit } from '#platform/room'
import { toWireTime } from '#platform/time'
import { changeTeam } from './actions/change-team.ts'
import { createTeam } from './actions/create-team.ts'
import { deleteTeam } from './actions/delete-team.ts'
import { getVisibleTeam, type TeamRow } from './actions/find-team.ts'
import { type EnvironmentRow, listEnvironments } from './actions/list-environments.ts'
import { listTeams } from './actions/list-teams.ts'
import { changeEnvironment, createEnvironment, deleteEnvironment } from './actions/write-environment.ts'
import type { TeamNeeds } from './index.ts'

export function teamRoutes(kit: Kit, needs: TeamNeeds): Route[] {
  return serve(stated, shapes, {
    async createTeam(request) {
      const { path, name } = request.body
      const team = await createTeam(kit, needs, originOf(request), { path, name })
      return answer(201, present(team), { location: `/v1/teams/${team.id}`, etag: etagOf(team.updatedAt) })
    },
    async listTeams(request) {
      const page = await listTeams(kit, request.caller, request.query)
      return answer(200, page.items.map(present), linkNext(request.url, page))
    },
    async getTeam(request) {
      const team = await getVisibleTeam(kit.database.kysely, request.caller, request.params.id)
      return answer(200, present(team), { etag: etagOf(team.updatedAt) })
    },
    async updateTeam(request) {
      const { name, path } = request.body
      const change = { name, path, ifMatch: request.headers['if-match'] }
      const team = await changeTeam(kit, needs, originOf(request), request.params.id, change)
      return answer(200, present(team), { etag: etagOf(team.updatedAt) })
    },
    async deleteTeam(request) {
      await deleteTeam(kit, needs, originOf(request), request.params.id)
      return answer(204)
    },
    async createEnvironment(request) {
      const { name, protected: isProtected, allowed_subjects: allowedSubjects } = request.body
      const input = { name, protected: isProtected, allowedSubjects }
      const { team, environment } = await createEnvironment(kit, needs, originOf(request), request.params.id, input)
      const headers = {
        location: `/v1/teams/${team.id}/environments/${environment.name}`,
        etag: etagOf(environment.updatedAt),
      }
      return answer(201, presentEnvironment(team, environment), headers)
    },
    async listEnvironments(request) {
      const page = await listEnvironments(kit, request.caller, request.params.id, request.query)
      const body = page.items.map((row) => presentEnvironment(page.team, row))
      return answer(200, body, linkNext(request.url, page))
    },
    async updateEnvironment(request) {
      const at = { team: request.params.id, name: request.params.name, ifMatch: request.headers['if-match'] }
      const change = { protected: request.body.protected, allowedSubjects: request.body.allowed_subjects }
      const { team, environment } = await changeEnvironment(kit, needs, originOf(request), at, change)
      return answer(200, presentEnvironment(team, environment), { etag: etagOf(environment.updatedAt) })
    },
    async deleteEnvironment(request) {
      const at = { team: request.params.id, name: request.params.name }
      await deleteEnvironment(kit, needs, originOf(request), at)
      return answer(204)
    },
  })
}

function present(row: TeamRow): shapes.Team {
  return {
    id: row.id,
    path: row.path,
    name: row.name,
    created_at: toWireTime(row.createdAt),
    updated_at: toWireTime(row.updatedAt),
  }
}

function presentEnvironment(team: TeamRow, row: EnvironmentRow): shapes.Environment {
  return {
    id: row.id,
    name: row.name,
    scope: `${team.path}/${row.name}`,
    protected: row.protected,
    allowed_subjects: [...row.allowedSubjects],
    created_at: toWireTime(row.createdAt),
    updated_at: toWireTime(row.updatedAt),
  }
}
