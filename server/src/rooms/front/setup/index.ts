import { type Doors, defineRoom } from '#platform/room'
import { setupProblem } from './errors.ts'
import type { Means } from './means.ts'
import { setupRoutes } from './routes.ts'

/** A room without a door: it is asked over HTTP only. */
export const setup = defineRoom<undefined, Doors<Means>>({
  name: 'front/setup',
  open: (kit, needs) => ({
    door: undefined,
    routes: setupRoutes({ ...kit, ...needs }),
    problems: [setupProblem, needs.access.administratorProblems],
  }),
})
