import { compilePatterns } from '@signalbox/pipeline/patterns'
import type { Reaction } from '#platform/facts'
import { cancelRuns } from './actions/change-runs.ts'
import { makeFinalOutputs } from './actions/make-final-outputs.ts'
import type { Means } from './means.ts'
import { readRecord } from './rules/stored-json.ts'
import { listInFlight } from './store/emergency.ts'

/** The reactions of this room to facts. */
export function runReactions(means: Means): Reaction[] {
  return [
    {
      fact: 'run.finished',
      name: 'runs.final-outputs',
      wants: (payload) => readRecord(payload)['final_output_status'] === 'pending',
      async react({ payload }) {
        const { run_id: id, final_output_status: status } = readRecord(payload)
        if (typeof id === 'string' && status === 'pending') await makeFinalOutputs(means, id)
      },
    },
    {
      fact: 'emergency.declared',
      name: 'runs.cancel-in-emergency',
      async react({ payload, occurredAt }) {
        const { scope, reason } = readRecord(payload)
        if (typeof scope !== 'string') return
        const why = `canceled by an emergency in ${scope}: ${typeof reason === 'string' ? reason : 'no reason was given'}`
        await cancelInScope(means, scope, why, new Date(occurredAt.getTime() + UNDER_WAY_MS))
      },
    },
  ]
}

const PAGE = 500
/**
 * A run that begins during the declaration counts as begun before it. A run that begins after the emergency was lifted
 * goes on.
 */
const UNDER_WAY_MS = 10_000

/**
 * Cancels the runs in flight that are in the scope or have a step there. Queued runs wait until the emergency is
 * lifted.
 */
async function cancelInScope(means: Means, pattern: string, reason: string, begunBefore: Date): Promise<void> {
  const db = means.database.kysely
  const { matches } = compilePatterns([pattern])
  let after: string | null = null
  for (;;) {
    const page = await listInFlight(db, { after, begunBefore, limit: PAGE })
    for (const run of page) {
      after = run.id
      const graph = await means.pipelines.getGraph(db, run.pipeline_version_id)
      const scopes = [run.scope, ...(graph?.steps ?? []).flatMap((step) => step.scope ?? [])]
      if (!scopes.some((scope) => matches(scope))) continue
      await means.database.transaction((tx) => cancelRuns(means, tx, { ids: [run.id], reason, at: means.clock.now() }))
    }
    if (page.length < PAGE) return
  }
}
