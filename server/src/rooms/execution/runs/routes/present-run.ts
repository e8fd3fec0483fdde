import {
  type ApprovalDecision,
  ON_CONFLICT,
  type RunApproval,
  type RunAttempt,
  type RunDetail,
  type RunStatusAnswer,
  type RunStep,
  type RunSummary,
  type RunTask,
} from '@signalbox/contracts/runs'
import { namesOfRef } from '@signalbox/pipeline/facts'
import { toWireTime, toWireTimeOrNull } from '#platform/time'
import type { RunDescription } from '../actions/describe-run.ts'
import { MOST_COUNTED, type QueuePlace } from '../actions/find-place.ts'
import { explainQueue, type QueueJudgement } from '../rules/explain-queue.ts'
import type { ApprovalRow } from '../store/approvals.ts'
import type { AttemptRow } from '../store/attempts.ts'
import type { DetailRow, RunStatusRow, SummaryRow } from '../store/run-columns.ts'

export function presentSummary(row: SummaryRow): RunSummary {
  return {
    run_id: row.id,
    pipeline_id: row.pipeline_id,
    pipeline: row.pipeline_identifier,
    pipeline_name: row.pipeline_name,
    pipeline_version: row.pipeline_version,
    team_path: row.team_path,
    scope: row.scope,
    status: row.status,
    reason: row.reason,
    cause: row.cause,
    initiator: { kind: row.initiator_kind, id: row.initiator_id, name: row.initiator_name },
    repository: row.repository,
    ref: row.ref,
    branch: row.branch,
    commit_sha: row.commit_sha,
    rerun_of: row.rerun_of,
    parent_run_id: row.parent_run_id,
    priority: row.priority,
    replay_of: row.replay_of,
    pull_request: row.pull_request,
    base_ref: row.base_ref,
    head_ref: row.head_ref,
    tag: namesOfRef(row.ref, row.branch, row.pull_request).tag,
    untrusted: row.untrusted,
    hold: presentHold(row),
    concurrency: presentConcurrency(row),
    queued_at: toWireTime(row.queued_at),
    started_at: toWireTimeOrNull(row.started_at),
    finished_at: toWireTimeOrNull(row.finished_at),
    final_output_status: row.final_output_status,
  }
}

function presentHold({ status, withheld, pull_request }: SummaryRow): RunSummary['hold'] {
  const held = status === 'queued' && withheld === 'fork_approval' && pull_request !== null
  return held ? { kind: 'fork_approval', pull_request } : null
}

function presentConcurrency({ concurrency_group: group, on_conflict }: SummaryRow): RunSummary['concurrency'] {
  const found = ON_CONFLICT.find((each) => each === on_conflict)
  return group === null || found === undefined ? null : { group, on_conflict: found }
}

export function presentStatus(row: RunStatusRow): RunStatusAnswer {
  return { ...presentResult(row), reason: row.reason }
}

/** How it ended or stands, and when. */
export function presentResult(row: Omit<RunStatusRow, 'team_path' | 'reason'>) {
  return {
    run_id: row.id,
    status: row.status,
    queued_at: toWireTime(row.queued_at),
    started_at: toWireTimeOrNull(row.started_at),
    finished_at: toWireTimeOrNull(row.finished_at),
  }
}

export function presentDetail(description: RunDescription): RunDetail {
  const { run, graph, judgement } = description
  const queued = run.status === 'queued'
  return {
    ...presentSummary(run),
    variables: { ...run.variables },
    event_id: run.event_id,
    trigger_id: run.trigger_id,
    schedule_id: run.schedule_id,
    scheduled_at: toWireTimeOrNull(run.scheduled_at),
    external_trigger_id: run.external_trigger_id,
    run_team_path: run.run_team_path,
    manifest_trigger: run.manifest_trigger,
    delivery_record_id: run.delivery_record_id,
    note: run.note,
    cancel_requested_at: toWireTimeOrNull(run.cancel_requested_at),
    deadline_at: toWireTimeOrNull(run.deadline_at),
    queue_reason: queued ? explainQueued(description) : null,
    queue_blockers: queued
      ? (judgement?.verdicts ?? []).map(({ runnerId, runnerName, verdict }) => ({
          runner_id: runnerId,
          runner: runnerName,
          verdict,
        }))
      : [],
    ...presentPlace(description.place),
    queue_deadline_at: description.place ? toWireTimeOrNull(run.queue_deadline_at) : null,
    parent: presentParent(run),
    rerun: presentRerun(run),
    secret_variables: Object.keys(run.sealed_variables),
    final_output_reason: run.final_output_reason,
    pins: description.pins.map(({ revision_id, identifier: item, kind, revision, step, task }) => ({
      revision_id,
      item,
      kind,
      revision,
      step,
      task,
    })),
    approvals: [
      ...description.approvals.map(presentApproval),
      ...description.requests.flatMap(({ step, decisions }) => decisions.map((each) => presentDecision(step, each))),
    ].toSorted((a, b) => (a.decided_at < b.decided_at ? -1 : 1)),
    approval_requests: [...description.requests],
    steps: graph?.steps.map((step) => presentStep(description, step)) ?? [],
  }
}

function presentPlace(place: QueuePlace | undefined) {
  const before = place?.before ?? null
  return {
    queue_position: before === null ? null : before + 1,
    queue_position_over: place && before === null ? MOST_COUNTED : null,
    queue_estimate_seconds: place?.estimateSeconds ?? null,
  }
}

function explainQueued({ withheld, judgement, place }: RunDescription): string | null {
  if (withheld !== undefined) return withheld
  return judgement ? explainQueue(judgement, place ? place.before : 0, MOST_COUNTED) : null
}

function presentParent(run: DetailRow): RunDetail['parent'] {
  const { parent_run_id: run_id, parent_step: step, parent_task: task, depth } = run
  return run_id === null || step === null || task === null ? null : { run_id, step, task, depth }
}

function presentRerun({ rerun_of: of, rerun_mode, rerun_step: step }: DetailRow): RunDetail['rerun'] {
  if (of === null) return null
  return { of, mode: rerun_mode === 'failed' || rerun_mode === 'step' ? rerun_mode : 'whole', step }
}

function presentDecision(step: string, decision: ApprovalDecision): RunApproval {
  const { by, comment, commit_sha, decided_at } = decision
  return { name: step, decision: decision.decision, by, comment, commit_sha, decided_at }
}

function presentApproval(row: ApprovalRow): RunApproval {
  return {
    name: row.name,
    decision: row.decision === 'approve' ? 'approve' : 'reject',
    by: { kind: row.subject_kind, id: row.subject_id, name: row.subject_name },
    comment: row.comment,
    commit_sha: row.commit_sha,
    decided_at: toWireTime(row.decided_at),
  }
}

type GraphStep = NonNullable<RunDescription['graph']>['steps'][number]

function presentStep(description: RunDescription, step: GraphStep): RunStep {
  const row = description.steps.get(step.name)
  return {
    name: step.name,
    depends_on: [...step.dependsOn],
    status: row?.status ?? unbegun(description.run.status),
    reason: row?.reason ?? null,
    started_at: toWireTimeOrNull(row?.started_at),
    finished_at: toWireTimeOrNull(row?.finished_at),
    tasks: step.tasks.map((task) => presentTask(description, step.name, task)),
  }
}

function presentTask(description: RunDescription, step: string, task: GraphStep['tasks'][number]): RunTask {
  const path = `${step}/${task.name}`
  const row = description.tasks.get(path)
  const attempts = description.attempts.get(path) ?? []
  return {
    name: task.name,
    kind: task.kind,
    depends_on: [...task.dependsOn],
    status: row?.status ?? unbegun(description.run.status),
    reason: row?.reason ?? null,
    waiting_reason: row?.status === 'ready' ? explainWait(description.waiting.get(path), attempts) : null,
    attempt: row?.attempt ?? 0,
    exit_code: row?.exit_code ?? null,
    retry_at: toWireTimeOrNull(row?.retry_at),
    started_at: toWireTimeOrNull(row?.started_at),
    finished_at: toWireTimeOrNull(row?.finished_at),
    attempts: attempts.map(presentAttempt),
  }
}

function explainWait(judgement: QueueJudgement | undefined, attempts: readonly AttemptRow[]): string {
  const last = attempts.at(-1)
  if (last?.status === 'leased') return last.reason ?? 'A runner has it and is about to begin.'
  return judgement?.reason ?? 'A runner can take it; it is about to be assigned.'
}

/** A run that never began has no rows of its steps. */
function unbegun(runStatus: string): string {
  if (runStatus === 'queued') return 'pending'
  return runStatus === 'canceled' ? 'canceled' : 'skipped'
}

function presentAttempt(row: AttemptRow): RunAttempt {
  return {
    attempt: row.number,
    status: row.status,
    child_run_id: row.childRunId,
    reason: row.reason,
    exit_code: row.exitCode,
    runner_id: row.runnerId,
    images: [...(row.images ?? [])],
    leased_at: toWireTimeOrNull(row.leasedAt),
    started_at: toWireTimeOrNull(row.startedAt),
    finished_at: toWireTimeOrNull(row.finishedAt),
  }
}
