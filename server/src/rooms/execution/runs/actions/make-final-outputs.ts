import { isUnavailable } from '#platform/database'
import type { Means } from '../means.ts'
import { makeOutputs } from '../rules/final-outputs.ts'
import { insertFinalOutputs, listPending, lockPending } from '../store/final-outputs.ts'
import { loadInFlight } from './load-progress.ts'

/**
 * Makes the final outputs of a finished run, once. The run says which outputs cannot be made, so that nobody waits for
 * them. Throws only while the database is away.
 */
export async function makeFinalOutputs(means: Means, runId: string): Promise<void> {
  await means.database.transaction(async (tx) => {
    if (!(await lockPending(tx, runId))) return
    const made = await make(means, runId)
    await insertFinalOutputs(tx, runId, made, means.clock.now())
  })
}

async function make(means: Means, runId: string): Promise<ReturnType<typeof makeOutputs>> {
  try {
    const [run] = await loadInFlight(means, means.database.kysely, [runId])
    if (run?.state) return makeOutputs(run.graph, run.state)
    return { outputs: [], reason: 'The run never began.' }
  } catch (error) {
    if (isUnavailable(error)) throw error
    means.log.error({ err: error, runId }, 'the final outputs of a run cannot be made')
    return { outputs: [], reason: 'The final outputs could not be made because of an error on our side.' }
  }
}

/** Long after a job would have made them. */
const LATE_MS = 30_000
const LIMIT = 20

/** The outputs whose jobs were lost or given up: nobody waits for them for ever. */
export async function makeLateOutputs(means: Means): Promise<void> {
  const before = new Date(means.clock.now().getTime() - LATE_MS)
  for (const id of await listPending(means.database.kysely, before, LIMIT)) await makeFinalOutputs(means, id)
}
