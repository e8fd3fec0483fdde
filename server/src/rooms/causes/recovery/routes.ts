import * as shapes from '@signalbox/contracts/recovery'
import { recoveryRoutes as stated } from '@signalbox/contracts/recovery/routes'
import { answer, linkNext, originOf, type Route, serve } from '#platform/http'
import { askToLook } from './actions/ask-to-look.ts'
import { listRecoveries, presentRecovery } from './actions/list-recoveries.ts'
import { getStanding } from './actions/read-standing.ts'
import type { Means } from './means.ts'

export function recoveryRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async listRecoveries(request) {
      const page = await listRecoveries(means, request.caller, request.params.sourceID, request.query)
      return answer(200, page.items.map(presentRecovery), linkNext(request.url, page))
    },
    async lookForMissed(request) {
      return answer(202, await askToLook(means, originOf(request), request.params.sourceID))
    },
    async getRecoveryStanding(request) {
      return answer(200, await getStanding(means, request.caller, request.params.sourceID))
    },
  })
}
