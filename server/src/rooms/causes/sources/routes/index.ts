import type { Route } from '#platform/http'
import type { Kit } from '#platform/room'
import type { SourceNeeds } from '../index.ts'
import type { Ingress } from '../ingress/ingress.ts'
import { branchRoutes } from './branches.ts'
import { connectionRoutes } from './connections.ts'
import { deliveryRoutes } from './deliveries.ts'
import { eventRecordRoutes } from './events.ts'
import { ingressRoutes } from './ingress.ts'
import { managingRoutes } from './sources.ts'

export function sourceRoutes(kit: Kit, needs: SourceNeeds, ingress: Ingress): Route[] {
  return [
    ...ingressRoutes(kit, ingress),
    ...managingRoutes(kit, needs, ingress),
    ...connectionRoutes(kit, needs),
    ...deliveryRoutes(kit, ingress),
    ...eventRecordRoutes(kit, ingress),
    ...branchRoutes(kit, needs, ingress),
  ]
}
