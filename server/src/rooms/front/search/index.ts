import { type Doors, defineRoom } from '#platform/room'
import type { Means } from './means.ts'
import { searchRoutes } from './routes.ts'
import { searchTools } from './tools.ts'

/** A room without a door: it is asked over HTTP only. */
export const search = defineRoom<undefined, Doors<Means>>({
  name: 'front/search',
  open: (kit, needs) => ({ door: undefined, routes: searchRoutes({ ...kit, ...needs }), tools: searchTools }),
})
