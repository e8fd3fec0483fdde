import type { Tx } from '#platform/database'
import { RUN_FINISHED, type RunFinished } from '../facts.ts'
import type { CountingKit } from '../means.ts'
import { lockStatus } from '../store/cancel.ts'
import { failRun as endAsFailure, type FailWish } from '../store/fail-run.ts'
import { tellGroupLeft } from '../store/groups.ts'
import { cancelRuns } from './change-runs.ts'

/** An attempt that a runner had when its run was ended by force. */
export interface HeldOfFailed {
  readonly fence: number
  readonly runnerId: string
}

/**
 * Ends a run that nothing else can move as a failure, with everything that it began. Answers the attempts that runners
 * must end. Attempts that have ended stay as they are.
 */
export async function failRun(means: CountingKit, tx: Tx, wish: FailWish): Promise<readonly HeldOfFailed[]> {
  const at = means.clock.now()
  const { id, reason } = wish
  // A statement of its own: the next one then sees the attempts that the last holder of the lock stored.
  await lockStatus(tx, id)
  const failed = await endAsFailure(tx, wish, at)
  if (!failed) return []
  for (const cause of await cancelRuns(means, tx, { ids: failed.children, reason, at }))
    means.observe('canceled', cause)
  if (failed.in_group) await tellGroupLeft(tx)
  const { pipeline_id, pipeline, team_path, scope, cause } = failed
  const fact: RunFinished = {
    run_id: id,
    status: 'failure',
    reason,
    pipeline_id,
    pipeline,
    team_path,
    scope,
    cause,
    queued_at: failed.queued_at.toISOString(),
    started_at: failed.started_at?.toISOString() ?? null,
    finished_at: at.toISOString(),
    final_output_status: 'none',
  }
  await means.facts.tellAll(tx, RUN_FINISHED.kind, RUN_FINISHED.version, [fact])
  means.observe('failure', cause)
  return failed.held
}
