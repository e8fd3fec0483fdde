import { defineRoom, type Probe } from '#platform/room'
import type { Access } from '#rooms/foundation/access'
import type { Secrets } from '#rooms/foundation/secrets'
import { setupRoutes } from './routes.ts'

export interface SetupNeeds {
  readonly access: Access
  readonly secrets: Secrets
  /** Contributed by the platform and by rooms; preflight asks those that have a blocker. */
  readonly probes: readonly Probe[]
}

/** A room without a door: it is asked over HTTP only. */
export const setup = defineRoom<undefined, SetupNeeds>({
  name: 'front/setup',
  open: (kit, needs) => ({ door: undefined, routes: setupRoutes(kit, needs) }),
})
