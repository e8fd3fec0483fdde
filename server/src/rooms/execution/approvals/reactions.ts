import type { Reaction } from '#platform/facts'
import type { Kit } from '#platform/room'
import { withdrawOfRun } from './store/index.ts'

/** A run that ended otherwise needs no decision any more. */
export function approvalReactions(kit: Kit): Reaction[] {
  return [
    {
      fact: 'run.finished',
      name: 'approvals.withdraw',
      // A run that waited for an approval and was approved has nothing left that waits.
      wants: (payload) => statusOf(payload) !== 'success',
      async react({ payload }) {
        const runId = runIdOf(payload)
        if (runId !== undefined) await withdrawOfRun(kit.database.kysely, runId, kit.clock.now())
      },
    },
  ]
}

function runIdOf(payload: unknown): string | undefined {
  const id = typeof payload === 'object' && payload !== null && 'run_id' in payload ? payload.run_id : undefined
  return typeof id === 'string' ? id : undefined
}

function statusOf(payload: unknown): unknown {
  return typeof payload === 'object' && payload !== null && 'status' in payload ? payload.status : undefined
}
