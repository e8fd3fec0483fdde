import { type Doors, defineRoom } from '#platform/room'
import type { Means } from './means.ts'
import { aboutRoutes } from './routes.ts'

/** A room without a door: it is asked over HTTP only. */
export const about = defineRoom<undefined, Doors<Means>>({
  name: 'front/about',
  open: (kit, needs) => ({ door: undefined, routes: aboutRoutes({ ...kit, ...needs }) }),
})
