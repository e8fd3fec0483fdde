import type { Route } from '#platform/http'
import type { Kit } from '#platform/room'
import type { KnowledgeMeans } from '../index.ts'
import { emergencyRoutes } from './emergencies.ts'
import { itemRoutes } from './items.ts'
import { judgingRoutes } from './judging.ts'

export function knowledgeRoutes(kit: Kit, means: KnowledgeMeans): Route[] {
  return [...itemRoutes(kit, means), ...judgingRoutes(kit, means), ...emergencyRoutes(kit, means)]
}
