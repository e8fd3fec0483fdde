import * as shapes from '@signalbox/contracts/sources'
import { pushExplanationRoutes as stated } from '@signalbox/contracts/sources/routes'
import { answer, type Route, serve } from '#platform/http'
import { explainPush } from '../actions/explain-push.ts'
import type { Means } from '../means.ts'

export function pushExplanationRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    explainPush: async ({ caller, query }) => answer(200, await explainPush(means, caller, query)),
  })
}
