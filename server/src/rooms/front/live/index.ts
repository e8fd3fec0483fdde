import { defineRoom } from '#platform/room'
import { Hub } from './hub/hub.ts'
import type { Asked, Means } from './means.ts'
import { createLiveMetrics } from './metrics.ts'
import { liveRoutes } from './routes.ts'

/** A room without a door: it is asked over HTTP only. */
export const live = defineRoom<undefined, Asked>({
  name: 'front/live',
  open(kit, asked) {
    const hub = new Hub(kit, asked.access, asked.topics, createLiveMetrics(kit))
    const means: Means = { ...kit, ...asked, hub }
    return { door: undefined, routes: liveRoutes(means), close: async () => hub.close() }
  },
})
