import { isUnavailable } from '#platform/database'
import type { Kit } from '#platform/room'
import { makeOutputs } from '../rules/final-outputs.ts'
import { insertFinalOutputs, listPending, lockPending } from '../store/final-outputs.ts'
import { loadInFlight, type ProgressNeeds } from './load-progress.ts'

/**
 * Makes the final outputs of a run that is over, once. What cannot be made is said: whoever waits for them, waits no longer.
 * Throws only while the database is away.
 */
export async function makeFinalOutputs(kit: Kit, needs: ProgressNeeds, runId: string): Promise<void> {
  await kit.database.transaction(async (tx) => {
    if (!(await lockPending(tx, runId))) return
    const made = await make(kit, needs, runId)
    await insertFinalOutputs(tx, runId, made.outputs, made.reason, kit.clock.now())
  })
}

async function make(kit: Kit, needs: ProgressNeeds, runId: string): Promise<ReturnType<typeof makeOutputs>> {
  try {
    const [run] = await loadInFlight(kit, needs, kit.database.kysely, [runId])
    if (run?.state) return makeOutputs(run.graph, run.state)
    return { outputs: [], reason: 'The run never began.' }
  } catch (error) {
    if (isUnavailable(error)) throw error
    kit.log.error({ err: error, runId }, 'the final outputs of a run cannot be made')
    return { outputs: [], reason: 'They could not be made because of an error on our side.' }
  }
}

/** Long after a job would have made them. */
const LATE_MS = 30_000
const LIMIT = 20

/** The outputs whose jobs were lost or given up: nobody waits for them for ever. */
export async function makeLateOutputs(kit: Kit, needs: ProgressNeeds): Promise<void> {
  const before = new Date(kit.clock.now().getTime() - LATE_MS)
  for (const id of await listPending(kit.database.kysely, before, LIMIT)) await makeFinalOutputs(kit, needs, id)
}
