import { defineRoom } from '#platform/room'
import { StreamCount } from '#platform/sse'
import { liveProblem } from './errors.ts'
import { Hub } from './hub/hub.ts'
import type { Asked, Means } from './means.ts'
import { createLiveMetrics } from './metrics.ts'
import { liveRoutes } from './routes.ts'

/** A room without a door: it is asked over HTTP only. */
export const live = defineRoom<undefined, Asked>({
  name: 'front/live',
  open(kit, asked) {
    const hub = new Hub(kit, asked.access, asked.topics, createLiveMetrics(kit))
    const means: Means = { ...kit, ...asked, hub, open: new StreamCount() }
    return { door: undefined, problems: [liveProblem], routes: liveRoutes(means), close: async () => hub.close() }
  },
})
