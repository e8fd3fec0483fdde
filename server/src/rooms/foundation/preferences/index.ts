import { defineRoom } from '#platform/room'
import { preferenceRoutes } from './routes.ts'

/** A room without a door: the page asks it over HTTP. */
export const preferences = defineRoom<undefined>({
  name: 'foundation/preferences',
  open: (kit) => ({ door: undefined, routes: preferenceRoutes(kit) }),
})
