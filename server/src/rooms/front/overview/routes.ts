import * as shapes from '@signalbox/contracts/overview'
import { overviewRoutes as stated } from '@signalbox/contracts/overview/routes'
import { answer, type Route, serve } from '#platform/http'
import { countTeam } from './actions/count-team.ts'
import type { Means } from './means.ts'

export function overviewRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async countTeam(request) {
      const { since } = request.query
      const asked = since === undefined ? undefined : new Date(since)
      return answer(200, await countTeam(means, request.caller, { team: request.params.id, since: asked }))
    },
  })
}
