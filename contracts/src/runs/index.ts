import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, Principal, Time, Uuid } from '../http/index.ts'
import { ApprovalRequest } from './approval-request.ts'
import { RunAttempt } from './attempt.ts'
import { RunStatus } from './run-status.ts'
import { RunSummary } from './summary.ts'

export { ApprovalDecision, ApprovalField, ApprovalRequest } from './approval-request.ts'

export { RunAttempt, RunImage } from './attempt.ts'
export * from './changes.ts'
export * from './comparison.ts'
export { DryRunQuery, RunDryRun } from './dry-run.ts'
export { PipelineResults, PipelineResultsQuery } from './pipeline-results.ts'
export { RunQuery } from './run-query.ts'
export { RunStatus } from './run-status.ts'
export { RunStatusQuery } from './standing.ts'
export * from './start.ts'
export { ON_CONFLICT, RunSummary } from './summary.ts'

const Text = Nullable(Type.String())

export const RunTask = Type.Object({
  name: OwnName,
  kind: Type.String({ ...OURS, description: 'run, pipeline or approval.' }),
  depends_on: Type.Array(OwnName),
  status: OwnName,
  reason: Text,
  waiting_reason: Nullable(Type.String({ description: 'Why a ready task has not begun.' })),
  attempt: Type.Integer({ description: 'Number of the latest attempt; 0: none yet.' }),
  exit_code: Nullable(Type.Integer()),
  retry_at: Nullable(Time),
  started_at: Nullable(Time),
  finished_at: Nullable(Time),
  attempts: Type.Array(RunAttempt),
})
export type RunTask = Static<typeof RunTask>

export const RunStep = Type.Object({
  name: OwnName,
  depends_on: Type.Array(OwnName),
  status: OwnName,
  reason: Text,
  started_at: Nullable(Time),
  finished_at: Nullable(Time),
  tasks: Type.Array(RunTask),
})
export type RunStep = Static<typeof RunStep>

export const QueueBlocker = Type.Object({
  runner_id: Uuid,
  runner: OwnName,
  verdict: Type.String({ ...OURS, description: 'A sentence: why this runner does not take it, or that it can.' }),
})

export const RunApproval = Type.Object({
  name: Type.String({
    ...OURS,
    description: 'The approval step; fork: of a run whose pull request comes from a fork.',
  }),
  decision: Type.Enum(['approve', 'reject']),
  by: Principal,
  comment: Text,
  commit_sha: Nullable(Type.String({ description: 'The commit that was approved or rejected.' })),
  decided_at: Time,
})
export type RunApproval = Static<typeof RunApproval>

export const RunPin = Type.Object({
  revision_id: Uuid,
  item: Type.String({ ...OURS, description: '<team path>/<name>.' }),
  kind: OwnName,
  revision: Type.Integer(),
  step: Nullable(Type.String({ ...OURS, description: 'Null: when the run began.' })),
  task: Nullable(Type.String({ ...OURS, description: 'Null: when the step began.' })),
})

export const RunDetail = Type.Object({
  ...RunSummary.properties,
  variables: Type.Record(Type.String(), Type.String()),
  event_id: Nullable(Uuid),
  trigger_id: Nullable(Uuid),
  schedule_id: Nullable(Uuid),
  scheduled_at: Nullable(
    Type.String({ format: 'date-time', description: 'The instant of its schedule that it is for, whenever it began.' }),
  ),
  external_trigger_id: Nullable(Uuid),
  run_team_path: Nullable(Type.String({ ...OURS, description: 'Team that hears of it; null: its own.' })),
  manifest_trigger: Nullable(
    Type.String({ description: "Name of the entry in the repository's manifest that started it." }),
  ),
  delivery_record_id: Nullable(Uuid),
  note: Nullable(Type.String({ description: 'A further remark from when the run was queued, in one sentence.' })),
  cancel_requested_at: Nullable(Time),
  deadline_at: Nullable(Time),
  queue_reason: Nullable(
    Type.String({ description: 'While queued: what it waits for, or which condition no runner meets.' }),
  ),
  queue_blockers: Type.Array(QueueBlocker),
  queue_position: Nullable(
    Type.Integer({ description: 'While it waits for a runner: how many begin before it, and one.' }),
  ),
  queue_position_over: Nullable(
    Type.Integer({ description: 'Where `queue_position` is null for that: more than so many begin before it.' }),
  ),
  queue_estimate_seconds: Nullable(
    Type.Integer({ description: 'How long that may take, by how often runs began here lately; null: nobody can say.' }),
  ),
  queue_deadline_at: Nullable(Type.String({ format: 'date-time', description: 'Then it ends as timed_out.' })),
  parent: Nullable(
    Type.Object(
      { run_id: Uuid, step: OwnName, task: OwnName, depth: Type.Integer() },
      {
        description: 'The task that it was made for; its end is the end of the task.',
      },
    ),
  ),
  rerun: Nullable(
    Type.Object(
      { of: Uuid, mode: Type.Enum(['whole', 'failed', 'step']), step: Nullable(OwnName) },
      {
        description: 'The run that it repeats, and which parts.',
      },
    ),
  ),
  secret_variables: Type.Array(Type.String(), { description: 'Names of variables whose values are not told.' }),
  final_output_reason: Nullable(Type.String({ description: 'Why some final outputs could not be made.' })),
  pins: Type.Array(RunPin, { description: 'The revisions of knowledge that held when something began.' }),
  approvals: Type.Array(RunApproval, { description: 'The decisions about it, oldest first.' }),
  approval_requests: Type.Array(ApprovalRequest, { description: 'The approval steps that it has reached.' }),
  steps: Type.Array(RunStep, { description: 'The execution graph, in the order of the document.' }),
})
export type RunDetail = Static<typeof RunDetail>

export const RunStatusAnswer = Type.Object({
  run_id: Uuid,
  status: RunStatus,
  reason: Text,
  queued_at: Time,
  started_at: Nullable(Time),
  finished_at: Nullable(Time),
})
export type RunStatusAnswer = Static<typeof RunStatusAnswer>

export const RunOutput = Type.Object({
  step: OwnName,
  task: OwnName,
  name: OwnName,
  sensitive: Type.Boolean(),
  value: Nullable(Type.String({ description: 'Null for a sensitive output: it is never returned.' })),
})
export type RunOutput = Static<typeof RunOutput>

export const FinalOutput = Type.Object({
  name: OwnName,
  format: Type.Enum(['markdown', 'json', 'text']),
  content: Type.String(),
  generated_at: Time,
})
export type FinalOutput = Static<typeof FinalOutput>

export const FinalOutputParams = Type.Object({ id: Uuid, name: Type.String({ minLength: 1, maxLength: 200 }) })

export const RunParams = Type.Object({ id: Uuid })
