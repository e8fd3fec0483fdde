import * as shapes from '@signalbox/contracts/access'
import { accessExplanationRoutes as stated } from '@signalbox/contracts/access/routes'
import { answer, type Route, serve } from '#platform/http'
import { explainAccessOf } from '../actions/explain-access.ts'
import type { Means } from '../means.ts'

export function explanationRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async explainAccess(request) {
      return answer(200, await explainAccessOf(means, request.caller, request.query))
    },
  })
}
