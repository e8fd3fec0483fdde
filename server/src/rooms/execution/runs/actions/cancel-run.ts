import type { RequestOrigin } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import { runProblem } from '../errors.ts'
import { lockStatus } from '../store/cancel.ts'
import { findRunStatus, type RunStatusRow } from '../store/list-runs.ts'
import { cancelRuns, type Observe } from './change-runs.ts'
import { findVisibleRun, requirePermission } from './find-visible-run.ts'

/**
 * Ends a queued run at once and asks for the end of one in hand. Again on a run that is canceled or being canceled
 * changes nothing; 409 when it has finished otherwise.
 */
export async function cancelRun(
  kit: Kit,
  needs: { readonly audit: Audit; readonly observe: Observe },
  origin: RequestOrigin,
  id: string,
  given: string | undefined,
): Promise<RunStatusRow> {
  const run = await findVisibleRun(kit.database.kysely, origin.caller, id)
  requirePermission(origin.caller, 'run.cancel', run.team_path)
  const reason = given ?? `canceled by ${origin.caller.name}`
  const at = kit.clock.now()
  let ended: readonly string[] = []
  const after = await kit.database.transaction(async (tx) => {
    ended = []
    const status = await lockStatus(tx, id)
    if (status === 'canceled') return await findRunStatus(tx, id)
    if (status !== 'queued' && status !== 'running' && status !== 'paused') {
      throw runProblem('run.finished', `The run has ended already, in ${status}: there is nothing to cancel.`)
    }
    ended = await cancelRuns(kit, tx, { ids: [id], reason, at })
    await needs.audit.record(tx, {
      origin,
      action: 'run.canceled',
      resource: { kind: 'run', id },
      teamPath: run.team_path,
      after: { reason },
    })
    return await findRunStatus(tx, id)
  })
  for (const cause of ended) needs.observe('canceled', cause)
  return after ?? run
}
