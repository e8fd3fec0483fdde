import { type RequestOrigin, requirePermission } from '#platform/http'
import { runProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { lockStatus } from '../store/cancel.ts'
import { findRunStatus } from '../store/list-runs.ts'
import type { RunStatusRow } from '../store/run-columns.ts'
import { cancelRuns } from './change-runs.ts'
import { findVisibleRun } from './find-visible-run.ts'

/**
 * Ends a queued run at once and asks for the end of one in hand. Again on a run that is canceled or being canceled
 * changes nothing; 409 when it has finished otherwise.
 */
export async function cancelRun(
  means: Means,
  origin: RequestOrigin,
  id: string,
  given: string | undefined,
): Promise<RunStatusRow> {
  const run = await findVisibleRun(means, origin.caller, id)
  requirePermission(origin.caller, 'run.cancel', run.team_path)
  const reason = given ?? `canceled by ${origin.caller.name}`
  const at = means.clock.now()
  const { after } = await means.database.transaction(
    async (tx) => {
      const status = await lockStatus(tx, id)
      if (status === 'canceled') return { after: await findRunStatus(tx, id), ended: [] }
      if (status !== 'queued' && status !== 'running' && status !== 'paused') {
        throw runProblem('run.finished', `The run has ended already, in ${status}: there is nothing to cancel.`)
      }
      const ended = await cancelRuns(means, tx, { ids: [id], reason, at })
      await means.audit.record(tx, {
        origin,
        action: 'run.canceled',
        resource: { kind: 'run', id },
        teamPath: run.team_path,
        after: { reason },
      })
      return { after: await findRunStatus(tx, id), ended }
    },
    { afterCommit: ({ ended }) => ended.forEach((cause) => void means.observe('canceled', cause)) },
  )
  return after ?? run
}
