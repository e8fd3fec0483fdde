import * as shapes from '@signalbox/contracts/preferences'
import { preferenceRoutes as stated } from '@signalbox/contracts/preferences/routes'
import { answer, originOf, type Route, serve } from '#platform/http'
import { readPreferences } from './actions/read-preferences.ts'
import { replacePreferences } from './actions/replace-preferences.ts'
import type { Means } from './means.ts'

export function preferenceRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async getPreferences(request) {
      const { preferences, etag } = await readPreferences(means, request.caller)
      return answer(200, preferences, { etag })
    },
    async replacePreferences(request) {
      const { preferences, etag } = await replacePreferences(means, originOf(request), request.body)
      return answer(200, preferences, { etag })
    },
  })
}
