import * as shapes from '@signalbox/contracts/access'
import { grantRoutes as stated } from '@signalbox/contracts/access/routes'
import { answer, linkNext, originOf, type Route, serve, toWire } from '#platform/http'
import { createGrant, deleteGrant, getVisibleGrant, listGrants } from '../actions/write-grant.ts'
import type { Means } from '../means.ts'
import type { GrantRow } from '../store/grants.ts'

export function grantRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async createGrant(request) {
      const { subject, role, team_path: teamPath } = request.body
      const grant = await createGrant(means, originOf(request), { subject, role, teamPath })
      return answer(201, present(grant), { location: `/v1/grants/${grant.id}` })
    },
    async listGrants(request) {
      const page = await listGrants(means, request.caller, request.query)
      return answer(200, page.items.map(present), linkNext(request.url, page))
    },
    async getGrant(request) {
      return answer(200, present(await getVisibleGrant(means, request.caller, request.params.id)))
    },
    async deleteGrant(request) {
      await deleteGrant(means, originOf(request), request.params.id)
      return answer(204)
    },
  })
}

function present({ subjectKind, subjectId, ...grant }: GrantRow): shapes.Grant {
  return { ...toWire(grant), subject: `${subjectKind}:${subjectId}` }
}
