import type { RunInFlight } from './rules/run-in-flight.ts'
import type { RunSave } from './rules/stored-rows.ts'

/** Told in the transaction that ends a run. */
export const RUN_FINISHED = { kind: 'run.finished', version: 1 } as const

export interface RunFinished {
  readonly run_id: string
  readonly status: string
  readonly reason: string | null
  readonly pipeline_id: string
  readonly pipeline: string
  readonly team_path: string
  readonly scope: string
  readonly cause: string
  readonly queued_at: string
  readonly started_at: string | null
  readonly finished_at: string
}

export function runFinished(run: RunInFlight, saved: RunSave, finishedAt: Date): RunFinished {
  return {
    run_id: run.id,
    status: saved.status,
    reason: saved.reason,
    pipeline_id: run.pipelineId,
    pipeline: run.pipelineIdentifier,
    team_path: run.teamPath,
    scope: run.scope,
    cause: run.cause,
    queued_at: run.queuedAt.toISOString(),
    started_at: saved.started_at?.toISOString() ?? null,
    finished_at: finishedAt.toISOString(),
  }
}
