import * as shapes from '@signalbox/contracts/about'
import { aboutRoutes as stated } from '@signalbox/contracts/about/routes'
import { answer, type Route, serve } from '#platform/http'
import { describeProduct } from './actions/describe-product.ts'
import { listSettings } from './actions/list-settings.ts'
import type { Means } from './means.ts'

export function aboutRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async getAbout(request) {
      return answer(200, await describeProduct(means, request.caller))
    },
    async listSettings(request) {
      return answer(200, listSettings(means, request.caller))
    },
  })
}
