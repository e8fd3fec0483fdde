import type { LogEntry } from '@signalbox/contracts/logs'
import type { ApprovalRequest, RunApproval, RunAttempt, RunDetail, RunStep, RunTask } from '@signalbox/contracts/runs'

// Runs and what belongs to them, as the API answers them. Each test sets the fields that matter to it.

const AT = '2026-11-21T03:00:00.000Z'
const ID = '01a1fc1f-ca69-7000-b9c9-fea95f691d0b'
const NO_TIMES = { started_at: null, finished_at: null }
const ADA = { kind: 'user', id: ID, name: 'ada' } as const

export function aRun(more: Partial<RunDetail> = {}): RunDetail {
  return {
    run_id: ID,
    pipeline_id: ID,
    pipeline: 'acme/build',
    pipeline_name: 'build',
    pipeline_version: 1,
    team_path: 'acme',
    scope: 'acme/test',
    status: 'success',
    reason: null,
    cause: 'request',
    initiator: ADA,
    repository: null,
    ref: null,
    branch: null,
    tag: null,
    commit_sha: null,
    rerun_of: null,
    parent_run_id: null,
    priority: 0,
    replay_of: null,
    pull_request: null,
    base_ref: null,
    head_ref: null,
    untrusted: false,
    hold: null,
    concurrency: null,
    queued_at: AT,
    ...NO_TIMES,
    final_output_status: 'none',
    variables: {},
    event_id: null,
    trigger_id: null,
    schedule_id: null,
    scheduled_at: null,
    external_trigger_id: null,
    run_team_path: null,
    manifest_trigger: null,
    delivery_record_id: null,
    note: null,
    cancel_requested_at: null,
    deadline_at: null,
    queue_reason: null,
    queue_blockers: [],
    queue_position: null,
    queue_position_over: null,
    queue_estimate_seconds: null,
    queue_deadline_at: null,
    parent: null,
    rerun: null,
    secret_variables: [],
    final_output_reason: null,
    pins: [],
    approvals: [],
    approval_requests: [],
    steps: [],
    ...more,
  }
}

export function aStep(more: Partial<RunStep> = {}): RunStep {
  return { name: 'test', depends_on: [], status: 'success', reason: null, ...NO_TIMES, tasks: [], ...more }
}

export function aTask(more: Partial<RunTask> = {}): RunTask {
  return {
    name: 'unit',
    kind: 'run',
    depends_on: [],
    status: 'success',
    reason: null,
    waiting_reason: null,
    attempt: 1,
    exit_code: null,
    retry_at: null,
    ...NO_TIMES,
    attempts: [],
    ...more,
  }
}

export function anAttempt(more: Partial<RunAttempt> = {}): RunAttempt {
  return {
    attempt: 1,
    status: 'success',
    child_run_id: null,
    reason: null,
    exit_code: null,
    runner_id: null,
    images: [],
    leased_at: null,
    ...NO_TIMES,
    ...more,
  }
}

export function anEntry(more: Partial<LogEntry> = {}): LogEntry {
  return { step: 'test', task: 'unit', attempt: 1, number: 0, line: 'line 0', stream: 'stdout', at: AT, ...more }
}

export function anApproval(more: Partial<RunApproval> = {}): RunApproval {
  return { name: 'fork', decision: 'approve', by: ADA, comment: null, commit_sha: null, decided_at: AT, ...more }
}

export function anApprovalRequest(more: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    run_id: ID,
    step: 'release',
    pipeline: 'acme/build',
    team_path: 'acme',
    scope: 'acme/test',
    repository: null,
    commit_sha: null,
    initiator: ADA,
    status: 'waiting',
    approvers: ['user:ada'],
    required: 1,
    obstacle: null,
    refusal: null,
    allow_self: false,
    message: null,
    fields: [],
    requested_at: AT,
    deadline_at: null,
    remind_at: null,
    decided_at: null,
    decisions: [],
    ...more,
  }
}
