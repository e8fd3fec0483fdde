import * as shapes from '@signalbox/contracts/triggers'
import { simulationRoutes as stated } from '@signalbox/contracts/triggers/routes'
import { answer, type Route, serve } from '#platform/http'
import { simulateTrigger } from '../actions/simulate-trigger.ts'
import type { Means } from '../means.ts'

/** Events that a simulation looks at where it does not say. */
const SIMULATED = 50

export function simulationRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async simulateTrigger({ body, caller }) {
      const { trigger: document, source_id: sourceId, limit = SIMULATED } = body
      const simulation = { document, sourceId, limit }
      const result = await simulateTrigger(means, caller, simulation)
      return answer(200, result)
    },
  })
}
