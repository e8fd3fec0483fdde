import { type Doors, defineRoom } from '#platform/room'
import type { Means } from './means.ts'
import { healthRoutes } from './routes.ts'

/** A room without a door: it is asked over HTTP only. */
export const health = defineRoom<undefined, Doors<Means>>({
  name: 'front/health',
  open: (kit, needs) => ({ door: undefined, routes: healthRoutes({ ...kit, ...needs }) }),
})
