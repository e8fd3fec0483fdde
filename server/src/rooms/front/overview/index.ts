import { SharedReadings } from '#platform/database'
import { type Doors, defineRoom } from '#platform/room'
import type { Means } from './means.ts'
import { overviewRoutes } from './routes.ts'

/** A room without a door: it is asked over HTTP only. */
export const overview = defineRoom<undefined, Omit<Doors<Means>, 'parts'>>({
  name: 'front/overview',
  open: (kit, needs) => ({
    door: undefined,
    routes: overviewRoutes({ ...kit, ...needs, parts: new SharedReadings() }),
  }),
})
