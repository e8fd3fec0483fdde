import type { Tx } from '#platform/database'
import { type RequestOrigin, requirePermission } from '#platform/http'
import { runProblem } from '../errors.ts'
import type { CountingKit, Means } from '../means.ts'
import { lockStatus } from '../store/cancel.ts'
import { findRunStatus } from '../store/list-runs.ts'
import type { DetailRow, RunStatusRow } from '../store/run-columns.ts'
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
  const { run, cancel } = await prepareCancel(means, origin, id, given)
  const { after } = await means.database.transaction((tx) => cancel(tx, means), {
    afterCommit: ({ ended }) => ended.forEach((cause) => void means.observe('canceled', cause)),
  })
  return after ?? run
}

export interface PreparedCancel {
  readonly run: DetailRow
  /** Throws run.finished (409). Answers where the run stands then, and the causes of the runs that ended. */
  cancel(
    tx: Tx,
    kit: CountingKit,
  ): Promise<{ readonly after: RunStatusRow | undefined; readonly ended: readonly string[] }>
}

/** Checks all that `cancelRun` checks before its transaction. */
export async function prepareCancel(
  means: Means,
  origin: RequestOrigin,
  id: string,
  given: string | undefined,
): Promise<PreparedCancel> {
  const run = await findVisibleRun(means, origin.caller, id)
  requirePermission(origin.caller, 'run.cancel', run.team_path)
  const reason = given ?? `canceled by ${origin.caller.name}`
  const at = means.clock.now()
  return {
    run,
    async cancel(tx, kit) {
      const status = await lockStatus(tx, id)
      if (status === 'canceled') return { after: await findRunStatus(tx, id), ended: [] }
      if (status !== 'queued' && status !== 'running' && status !== 'paused') {
        throw runProblem('run.finished', `The run has ended already, in ${status}: there is nothing to cancel.`)
      }
      const ended = await cancelRuns(kit, tx, { ids: [id], reason, at })
      await means.audit.record(tx, {
        origin,
        action: 'run.canceled',
        resource: { kind: 'run', id },
        teamPath: run.team_path,
        before: { status },
        after: { reason },
      })
      return { after: await findRunStatus(tx, id), ended }
    },
  }
}
