import { CreateGrant, Grant, GrantQuery, SubjectParams } from '@signalbox/contracts/access'
import { Type } from 'typebox'
import { answer, defineRoute, linkNext, originOf, type Route } from '#platform/http'
import { toWireTime } from '#platform/time'
import type { AccessMeans } from '../actions/change-access.ts'
import { createGrant, deleteGrant, type GrantRow, getVisibleGrant, listGrants } from '../actions/write-grant.ts'

const tag = 'grants'

export function grantRoutes(means: AccessMeans): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/grants',
      summary: 'Give a role at a team path; nobody gives more than they have',
      tag,
      class: 'authorized',
      permission: 'grant.write',
      schema: { body: CreateGrant },
      responses: { 201: Grant },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const { subject, role, team_path: teamPath } = request.body
        const grant = await createGrant(means, originOf(request), { subject, role, teamPath })
        return answer(201, present(grant), { location: `/v1/grants/${grant.id}` })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/grants',
      summary: 'List who has which role where, newest first',
      tag,
      class: 'authorized',
      permission: 'grant.read',
      schema: { query: GrantQuery },
      responses: { 200: Type.Array(Grant) },
      handle: async (request) => {
        const page = await listGrants(means, request.caller, request.query)
        return answer(200, page.items.map(present), linkNext(request.url, page))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/grants/:id',
      summary: 'One grant',
      tag,
      class: 'authorized',
      permission: 'grant.read',
      schema: { params: SubjectParams },
      responses: { 200: Grant },
      handle: async (request) => answer(200, present(await getVisibleGrant(means, request.caller, request.params.id))),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/grants/:id',
      summary: 'Take a role away',
      tag,
      class: 'authorized',
      permission: 'grant.write',
      schema: { params: SubjectParams },
      responses: { 204: 'empty' },
      problems: [{ status: 409 }],
      handle: async (request) => {
        await deleteGrant(means, originOf(request), request.params.id)
        return answer(204)
      },
    }),
  ]
}

function present(row: GrantRow): Grant {
  return {
    id: row.id,
    subject: `${row.subject.kind}:${row.subject.id}`,
    subject_name: row.subjectName,
    role: row.role,
    team_path: row.teamPath,
    created_at: toWireTime(row.createdAt),
  }
}
