import { TriggerSimulation, TriggerSimulationResult } from '@signalbox/contracts/triggers'
import { answer, defineRoute, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import type { DeliveryReader } from '#rooms/causes/events'
import { simulateTrigger } from '../actions/simulate-trigger.ts'
import type { SourceNeeds } from '../index.ts'

/** Events that a simulation looks at where it does not say. */
const SIMULATED = 50

export function simulationRoutes(kit: Kit, needs: SourceNeeds, readDeliveries: DeliveryReader): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/triggers/simulate',
      summary: 'What a trigger would have started for kept deliveries, without storing it',
      tag: 'triggers',
      class: 'authorized',
      permission: 'trigger.write',
      schema: { body: TriggerSimulation },
      responses: { 200: TriggerSimulationResult },
      problems: [{ status: 503 }],
      handle: async ({ body, caller }) => {
        const { trigger: document, source_id: sourceId, limit = SIMULATED } = body
        const simulation = { document, sourceId, limit }
        const result = await simulateTrigger(kit, { triggers: needs.triggers, readDeliveries }, caller, simulation)
        return answer(200, result)
      },
    }),
  ]
}
