import * as shapes from '@signalbox/contracts/live'
import { liveRoutes as stated } from '@signalbox/contracts/live/routes'
import { type Route, serve, streamAnswer } from '#platform/http'
import { eventStream, SSE_HEADERS } from '#platform/sse'
import { followChanges } from './actions/follow-changes.ts'
import type { Means } from './means.ts'

export function liveRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    followChanges: async ({ caller, query, headers, signal }) => {
      const lastEventId = [headers['last-event-id']].flat()[0]
      const events = await followChanges(means, caller, { topics: query.topics, lastEventId, signal })
      return streamAnswer(eventStream(events, { clock: means.clock, signal }), SSE_HEADERS)
    },
  })
}
