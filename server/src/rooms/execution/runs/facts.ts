import { toWireTime } from '#platform/time'
import type { RunInFlight } from './rules/run-in-flight.ts'
import type { StandingRun } from './rules/standing-run.ts'
import type { RunSave } from './rules/stored-rows.ts'
import type { ApprovalRow } from './store/approvals.ts'
import type { DetailRow } from './store/run-columns.ts'

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
  /** pending: its final outputs are still to be made. */
  readonly final_output_status?: 'none' | 'pending' | undefined
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
    final_output_status: saved.final_output_status,
  }
}

/** Told in the transaction that begins a run of an event, or a repetition of a run: for who tells others of it. */
export const RUN_STARTED = { kind: 'run.started', version: 1 } as const

export interface RunStarted {
  readonly run_id: string
  readonly cause: string
}

/** Undefined where it began before, has ended already, or began for no event. */
export function runStarted(run: RunInFlight, saved: RunSave): RunStarted | undefined {
  const begins = run.startedAt === null && saved.started_at !== null && saved.finished_at === null
  return begins && (run.cause === 'event' || run.cause === 'rerun') ? { run_id: run.id, cause: run.cause } : undefined
}

/** A run that ends before anybody has begun it. */
export function finishedInQueue(
  run: StandingRun,
  { status, reason }: { readonly status: 'canceled' | 'timed_out'; readonly reason: string },
  finishedAt: Date,
): RunFinished {
  return {
    run_id: run.id,
    status,
    reason,
    pipeline_id: run.pipelineId,
    pipeline: run.pipeline,
    team_path: run.teamPath,
    scope: run.scope,
    cause: run.cause,
    queued_at: toWireTime(new Date(run.queuedAt / 1000)),
    started_at: null,
    finished_at: toWireTime(finishedAt),
  }
}

/** Told in the transaction in which a member decides about a run that waited for it. */
const RUN_APPROVED = { kind: 'run.approved', version: 1 } as const
const RUN_REJECTED = { kind: 'run.rejected', version: 1 } as const

export interface RunDecided {
  readonly run_id: string
  /** fork: of a run whose pull request comes from a fork. */
  readonly approval: string
  readonly by: { readonly kind: string; readonly id: string; readonly name: string }
  readonly comment: string | null
  readonly pipeline_id: string
  readonly pipeline: string
  readonly team_path: string
  readonly scope: string
  readonly repository: string | null
  readonly pull_request: number | null
  readonly commit_sha: string | null
  readonly decided_at: string
}

export function approvalFact(
  run: DetailRow,
  approval: ApprovalRow,
): { readonly kind: string; readonly version: number; readonly payload: RunDecided } {
  const payload: RunDecided = {
    run_id: run.id,
    approval: approval.name,
    by: { kind: approval.subject_kind, id: approval.subject_id, name: approval.subject_name },
    comment: approval.comment,
    pipeline_id: run.pipeline_id,
    pipeline: run.pipeline_identifier,
    team_path: run.team_path,
    scope: run.scope,
    repository: run.repository,
    pull_request: run.pull_request,
    commit_sha: approval.commit_sha,
    decided_at: toWireTime(approval.decided_at),
  }
  return { ...(approval.decision === 'approve' ? RUN_APPROVED : RUN_REJECTED), payload }
}
