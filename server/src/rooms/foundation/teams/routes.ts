import * as shapes from '@signalbox/contracts/teams'
import { teamRoutes as stated } from '@signalbox/contracts/teams/routes'
import { answer, etagOf, linkNext, originOf, type Route, serve, toWire } from '#platform/http'
import { createTeam } from './actions/create-team.ts'
import { deleteTeam } from './actions/delete-team.ts'
import { getVisibleTeam, listTeams } from './actions/find-team.ts'
import { listEnvironments } from './actions/list-environments.ts'
import { updateTeam } from './actions/update-team.ts'
import { createEnvironment, deleteEnvironment, updateEnvironment } from './actions/write-environment.ts'
import type { Means } from './means.ts'
import type { EnvironmentRow, TeamRow } from './store.ts'

export function teamRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async createTeam(request) {
      const { path, name } = request.body
      const team = await createTeam(means, originOf(request), { path, name })
      return answer(201, toWire(team), { location: `/v1/teams/${team.id}`, etag: etagOf(team.updatedAt) })
    },
    async listTeams(request) {
      const page = await listTeams(means, request.caller, request.query)
      return answer(200, page.items.map(toWire), linkNext(request.url, page))
    },
    async getTeam(request) {
      const team = await getVisibleTeam(means.database.kysely, request.caller, request.params.id)
      return answer(200, toWire(team), { etag: etagOf(team.updatedAt) })
    },
    async updateTeam(request) {
      const { name, path } = request.body
      const team = await updateTeam(means, originOf(request), { idOrPath: request.params.id, name, path })
      return answer(200, toWire(team), { etag: etagOf(team.updatedAt) })
    },
    async deleteTeam(request) {
      await deleteTeam(means, originOf(request), request.params.id)
      return answer(204)
    },
    async createEnvironment(request) {
      const { team, environment } = await createEnvironment(means, originOf(request), {
        team: request.params.id,
        name: request.body.name,
        ...readProtection(request.body),
      })
      const headers = {
        location: `/v1/teams/${team.id}/environments/${environment.name}`,
        etag: etagOf(environment.updatedAt),
      }
      return answer(201, presentEnvironment(team, environment), headers)
    },
    async listEnvironments(request) {
      const page = await listEnvironments(means, request.caller, request.params.id, request.query)
      const items = page.items.map((environment) => presentEnvironment(page.team, environment))
      return answer(200, items, linkNext(request.url, page))
    },
    async updateEnvironment(request) {
      const { id: team, name } = request.params
      const input = { team, name, ...readProtection(request.body) }
      const written = await updateEnvironment(means, originOf(request), input)
      const body = presentEnvironment(written.team, written.environment)
      return answer(200, body, { etag: etagOf(written.environment.updatedAt) })
    },
    async deleteEnvironment(request) {
      const { id: team, name } = request.params
      await deleteEnvironment(means, originOf(request), { team, name })
      return answer(204)
    },
  })
}

function readProtection(body: shapes.ChangeEnvironment) {
  return { protected: body.protected, allowedSubjects: body.allowed_subjects }
}

function presentEnvironment(team: TeamRow, { teamId: _, ...row }: EnvironmentRow): shapes.Environment {
  return { ...toWire(row), scope: `${team.path}/${row.name}` }
}
