import {
  ChangeEnvironment,
  ChangeTeam,
  CreateEnvironment,
  CreateTeam,
  Environment,
  EnvironmentParams,
  Team,
  TeamParams,
  TeamQuery,
} from '@signalbox/contracts/teams'
import { Type } from 'typebox'
import { answer, defineRoute, etagOf, linkNext, originOf, type Route } from '#platform/http'
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

const tag = 'teams'

export function teamRoutes(kit: Kit, needs: TeamNeeds): Route[] {
  return [...ofTeams(kit, needs), ...ofEnvironments(kit, needs)]
}

function ofTeams(kit: Kit, needs: TeamNeeds): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/teams',
      summary: 'Create a team; its parents must exist',
      tag,
      class: 'authorized',
      permission: 'team.write',
      schema: { body: CreateTeam },
      responses: { 201: Team },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const { path, name } = request.body
        const team = await createTeam(kit, needs, originOf(request), { path, name })
        return answer(201, present(team), { location: `/v1/teams/${team.id}`, etag: etagOf(team.updatedAt) })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/teams',
      summary: 'List the teams that the caller may see, newest first',
      tag,
      class: 'authorized',
      permission: 'team.read',
      schema: { query: TeamQuery },
      responses: { 200: Type.Array(Team) },
      handle: async (request) => {
        const page = await listTeams(kit, request.caller, request.query)
        return answer(200, page.items.map(present), linkNext(request.url, page))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/teams/:id',
      summary: 'One team, by uuid or URL-encoded path',
      tag,
      class: 'authorized',
      permission: 'team.read',
      schema: { params: TeamParams },
      responses: { 200: Team },
      handle: async (request) => {
        const team = await getVisibleTeam(kit.database.kysely, request.caller, request.params.id)
        return answer(200, present(team), { etag: etagOf(team.updatedAt) })
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/v1/teams/:id',
      summary: 'Change the name of a team; a path never changes',
      tag,
      class: 'authorized',
      permission: 'team.write',
      schema: { params: TeamParams, body: ChangeTeam },
      responses: { 200: Team },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const { name, path } = request.body
        const change = { name, path, ifMatch: request.headers['if-match'] }
        const team = await changeTeam(kit, needs, originOf(request), request.params.id, change)
        return answer(200, present(team), { etag: etagOf(team.updatedAt) })
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/teams/:id',
      summary: 'Delete a team that owns nothing',
      tag,
      class: 'authorized',
      permission: 'team.write',
      schema: { params: TeamParams },
      responses: { 204: 'empty' },
      problems: [{ status: 409 }],
      handle: async (request) => {
        await deleteTeam(kit, needs, originOf(request), request.params.id)
        return answer(204)
      },
    }),
  ]
}

function ofEnvironments(kit: Kit, needs: TeamNeeds): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/teams/:id/environments',
      summary: 'Create an environment; protecting one needs grant.write',
      tag,
      class: 'authorized',
      permission: 'environment.write',
      schema: { params: TeamParams, body: CreateEnvironment },
      responses: { 201: Environment },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const { name, protected: isProtected, allowed_subjects: allowedSubjects } = request.body
        const input = { name, protected: isProtected, allowedSubjects }
        const { team, environment } = await createEnvironment(kit, needs, originOf(request), request.params.id, input)
        const headers = {
          location: `/v1/teams/${team.id}/environments/${environment.name}`,
          etag: etagOf(environment.updatedAt),
        }
        return answer(201, presentEnvironment(team, environment), headers)
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/teams/:id/environments',
      summary: 'List the environments of a team, newest first',
      tag,
      class: 'authorized',
      permission: 'environment.read',
      schema: { params: TeamParams, query: TeamQuery },
      responses: { 200: Type.Array(Environment) },
      handle: async (request) => {
        const page = await listEnvironments(kit, request.caller, request.params.id, request.query)
        const body = page.items.map((row) => presentEnvironment(page.team, row))
        return answer(200, body, linkNext(request.url, page))
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/v1/teams/:id/environments/:name',
      summary: 'Change the protection of an environment; needs grant.write too',
      tag,
      class: 'authorized',
      permission: 'environment.write',
      schema: { params: EnvironmentParams, body: ChangeEnvironment },
      responses: { 200: Environment },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const at = { team: request.params.id, name: request.params.name, ifMatch: request.headers['if-match'] }
        const change = { protected: request.body.protected, allowedSubjects: request.body.allowed_subjects }
        const { team, environment } = await changeEnvironment(kit, needs, originOf(request), at, change)
        return answer(200, presentEnvironment(team, environment), { etag: etagOf(environment.updatedAt) })
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/teams/:id/environments/:name',
      summary: 'Delete an environment; a protected one needs grant.write too',
      tag,
      class: 'authorized',
      permission: 'environment.write',
      schema: { params: EnvironmentParams },
      responses: { 204: 'empty' },
      handle: async (request) => {
        const at = { team: request.params.id, name: request.params.name }
        await deleteEnvironment(kit, needs, originOf(request), at)
        return answer(204)
      },
    }),
  ]
}

function present(row: TeamRow): Team {
  return {
    id: row.id,
    path: row.path,
    name: row.name,
    created_at: toWireTime(row.createdAt),
    updated_at: toWireTime(row.updatedAt),
  }
}

function presentEnvironment(team: TeamRow, row: EnvironmentRow): Environment {
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
