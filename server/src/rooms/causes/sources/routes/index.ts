import type { Route } from '#platform/http'
import type { Means } from '../means.ts'
import { branchRoutes } from './branches.ts'
import { connectionRoutes } from './connections.ts'
import { deliveryRoutes } from './deliveries.ts'
import { eventRecordRoutes } from './events.ts'
import { ingressRoutes } from './ingress.ts'
import { pushExplanationRoutes } from './push-explanation.ts'
import { simulationRoutes } from './simulation.ts'
import { managingRoutes } from './sources.ts'

export function sourceRoutes(means: Means): Route[] {
  return [
    ...ingressRoutes(means),
    ...managingRoutes(means),
    ...connectionRoutes(means),
    ...deliveryRoutes(means),
    ...eventRecordRoutes(means),
    ...branchRoutes(means),
    ...simulationRoutes(means),
    ...pushExplanationRoutes(means),
  ]
}
