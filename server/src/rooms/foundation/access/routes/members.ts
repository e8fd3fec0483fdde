import * as shapes from '@signalbox/contracts/members'
import { memberRoutes as stated } from '@signalbox/contracts/members/routes'
import { answer, linkNext, type Route, serve } from '#platform/http'
import { listTeamMembers } from '../actions/list-team-members.ts'
import type { Means } from '../means.ts'

export function memberRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async listTeamMembers(request) {
      const page = await listTeamMembers(means, request.caller, { ...request.query, id: request.params.id })
      return answer(
        200,
        page.items.map(({ member }) => member),
        linkNext(request.url, page),
      )
    },
  })
}
