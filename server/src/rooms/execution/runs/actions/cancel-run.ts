import type { RequestOrigin } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import { runProblem } from '../errors.ts'
import { RUN_FINISHED } from '../facts.ts'
import { endQueued, lockStatus, requestCancel } from '../store/cancel.ts'
import { findRunStatus, type RunStatusRow } from '../store/list-runs.ts'
import { findVisibleRun, requirePermission } from './find-visible-run.ts'

/**
 * Ends a queued run at once and asks for the end of one in hand. Again on a run that is canceled or being canceled
 * changes nothing; 409 when it has finished otherwise.
 */
export async function cancelRun(
  kit: Kit,
  needs: { readonly audit: Audit; readonly observe: (status: string, cause: string) => void },
  origin: RequestOrigin,
  id: string,
  given: string | undefined,
): Promise<RunStatusRow> {
  const run = await findVisibleRun(kit.database.kysely, origin.caller, id)
  requirePermission(origin.caller, 'run.cancel', run.team_path)
  const reason = given ?? `canceled by ${origin.caller.name}`
  const at = kit.clock.now()
  let ended = false
  const after = await kit.database.transaction(async (tx) => {
    ended = false
    const status = await lockStatus(tx, id)
    if (status === 'queued') {
      await endQueued(tx, id, reason, at)
      await kit.facts.tell(tx, RUN_FINISHED.kind, RUN_FINISHED.version, {
        run_id: id,
        status: 'canceled',
        reason,
        pipeline_id: run.pipeline_id,
        pipeline: run.pipeline_identifier,
        team_path: run.team_path,
        scope: run.scope,
        cause: run.cause,
        queued_at: run.queued_at.toISOString(),
        started_at: null,
        finished_at: at.toISOString(),
      })
      ended = true
    } else if (status === 'running' || status === 'paused') await requestCancel(tx, id, reason, at)
    else if (status === 'canceled') return await findRunStatus(tx, id)
    else throw runProblem('run.finished', `The run has finished already: ${status}.`)
    await needs.audit.record(tx, {
      origin,
      action: 'run.canceled',
      resource: { kind: 'run', id },
      teamPath: run.team_path,
      after: { reason },
    })
    return await findRunStatus(tx, id)
  })
  if (ended) needs.observe('canceled', run.cause)
  return after ?? run
}
