import type { RunnerLease, RunnerLeases } from '@signalbox/contracts/dispatch'
import type { Caller } from '#platform/http'
import { toWireTime, toWireTimeOrNull } from '#platform/time'
import type { Means } from '../means.ts'

/**
 * What a runner has in hand. Tasks of runs that the caller may not read are only counted, as `in_use` of the dispatcher
 * counts them. Throws 404 for a runner that the caller may not see.
 */
export async function listLeases(means: Means, caller: Caller, runnerId: string): Promise<RunnerLeases> {
  const { id } = await means.runners.findVisible(caller, runnerId)
  const rows = await means.runs.progress.listLeases(means.database.kysely, id)
  const readable = rows.filter(({ team_path }) => caller.can('run.read', team_path))
  const leases = readable.map((row): RunnerLease => {
    const { run_id, pipeline, scope, step, task, number: attempt } = row
    return {
      run_id,
      pipeline,
      scope,
      step,
      task,
      attempt,
      leased_at: toWireTime(row.leased_at),
      started_at: toWireTimeOrNull(row.started_at),
      cancel_requested_at: toWireTimeOrNull(row.cancel_requested_at),
    }
  })
  return { leases, hidden: rows.length - readable.length }
}
