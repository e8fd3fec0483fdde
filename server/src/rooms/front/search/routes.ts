import * as shapes from '@signalbox/contracts/search'
import { searchRoutes as stated } from '@signalbox/contracts/search/routes'
import { answer, type Route, serve } from '#platform/http'
import { findAnything } from './actions/find-anything.ts'
import { searchEverything } from './actions/search-everything.ts'
import type { Means } from './means.ts'

export function searchRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async search(request) {
      return answer(200, { hits: await searchEverything(means, request.caller, request.query) })
    },
    async find(request) {
      return answer(200, { found: await findAnything(means, request.caller, request.query) })
    },
  })
}
