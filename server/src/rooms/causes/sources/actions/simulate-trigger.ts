import type { TriggerDocument, TriggerSimulationResult } from '@signalbox/contracts/triggers'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { mayConnect } from './check-connection.ts'
import { readDeliveries } from './serve-deliveries.ts'

export interface Simulation {
  readonly document: TriggerDocument
  /** Undefined: that of the trigger, or all that the caller may read. */
  readonly sourceId: string | undefined
  readonly limit: number
}

/** After so many events others get their turn. */
const SLICE = 10

/**
 * The trace of an unstored trigger for kept deliveries of its repositories. The caller must be allowed to create the
 * trigger, and sees deliveries of sources that they may read.
 */
export async function simulateTrigger(
  means: Means,
  caller: Caller,
  { document, sourceId, limit }: Simulation,
): Promise<TriggerSimulationResult> {
  const draft = await means.triggers.draft(caller, document)
  const wanted = sourceId ?? draft.sourceId ?? undefined
  if (wanted !== undefined && !(await mayConnect(means.database.kysely, caller, wanted))) {
    const errors = [{ field: 'source_id', message: 'there is no source of this id that you may use' }]
    throw platformProblem('invalid_request', 'source_id: there is no source of this id that you may use.', { errors })
  }
  const repositories = (name: string) => draft.takesIn(name)
  const deliveries = await readDeliveries(means, caller, { sourceId: wanted, repositories, limit })
  const results: TriggerSimulationResult['results'] = []
  for (const [at, delivery] of deliveries.entries()) {
    if (at > 0 && at % SLICE === 0) await means.clock.sleep(0)
    results.push(draft.simulate(delivery))
  }
  const considered = new Set(deliveries.map(({ deliveryRecordId }) => deliveryRecordId))
  return { deliveries_considered: considered.size, results }
}
