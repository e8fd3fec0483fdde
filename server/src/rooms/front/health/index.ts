import type { Kit, Probe } from '#platform/room'
import { defineRoom } from '#platform/room'
import { healthRoutes } from './routes.ts'

export interface HealthNeeds {
  /** Contributed by the platform and by rooms; readiness asks all of them. */
  readonly probes: readonly Probe[]
}

export const health = defineRoom<Record<never, never>, HealthNeeds>({
  name: 'front/health',
  open: (kit: Kit, needs) => ({ door: {}, routes: healthRoutes(kit, needs) }),
})
