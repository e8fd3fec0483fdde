import { type Static, Type } from 'typebox'
import { Nullable, Principal, Time, Uuid } from '../http/index.ts'
import { ApprovalRequest } from './approval-request.ts'
import { RunAttempt } from './attempt.ts'
import { RunStatus } from './run-status.ts'

export { ApprovalDecision, ApprovalField, ApprovalRequest } from './approval-request.ts'

export { RunAttempt, RunImage } from './attempt.ts'
export * from './comparison.ts'
export { PipelineResults, PipelineResultsQuery } from './pipeline-results.ts'
export { RunQuery } from './run-query.ts'
export { RunStatus } from './run-status.ts'
export * from './start.ts'

/** The effect of a new run on unfinished runs of its group. */
export const ON_CONFLICT = ['cancel_running', 'queue', 'skip'] as const

const Text = Nullable(Type.String())

export const RunSummary = Type.Object({
  run_id: Uuid,
  pipeline_id: Uuid,
  pipeline: Type.String({ description: '<team path>/<name>, as it was when the run was queued.' }),
  pipeline_name: Type.String(),
  pipeline_version: Type.Integer(),
  team_path: Type.String(),
  scope: Type.String(),
  status: RunStatus,
  reason: Nullable(Type.String({ description: 'One sentence for a status that needs one.' })),
  cause: Type.String({ description: 'event, request, rerun, schedule, external or pipeline (a task of another run).' }),
  initiator: Principal,
  repository: Text,
  ref: Text,
  branch: Nullable(Type.String({ description: 'Of a pull request the branch that it wants to enter.' })),
  tag: Nullable(Type.String({ description: 'Name of the tag that it is of.' })),
  commit_sha: Text,
  rerun_of: Nullable(Uuid),
  parent_run_id: Nullable(Type.String({ format: 'uuid', description: 'The run of whose tasks it is one.' })),
  priority: Type.Integer({
    description: 'From -100 to 100: of what one team has waiting for the same runners the higher begins first.',
  }),
  replay_of: Nullable(Type.String({ format: 'uuid', description: 'The delivery that was replayed.' })),
  pull_request: Nullable(Type.Integer({ description: 'Number of the pull request that it is of.' })),
  base_ref: Nullable(Type.String({ description: 'Of a pull request: name of the branch that it wants to enter.' })),
  head_ref: Nullable(Type.String({ description: 'Of a pull request: name of the branch from which it comes.' })),
  untrusted: Type.Boolean({
    description: 'The code comes from a fork or an unknown place: the run gets no secrets, and neither do its reruns.',
  }),
  hold: Nullable(
    Type.Object(
      { kind: Type.Enum(['fork_approval']), pull_request: Type.Integer() },
      {
        description: 'The run stays queued until a member approves it: POST /v1/runs/{id}/approvals/fork.',
      },
    ),
  ),
  concurrency: Nullable(Type.Object({ group: Type.String(), on_conflict: Type.Enum([...ON_CONFLICT]) })),
  queued_at: Time,
  started_at: Nullable(Time),
  finished_at: Nullable(Time),
  final_output_status: Type.String(),
})
export type RunSummary = Static<typeof RunSummary>

export const RunTask = Type.Object({
  name: Type.String(),
  kind: Type.String({ description: 'run, pipeline or approval.' }),
  depends_on: Type.Array(Type.String()),
  status: Type.String(),
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
  name: Type.String(),
  depends_on: Type.Array(Type.String()),
  status: Type.String(),
  reason: Text,
  started_at: Nullable(Time),
  finished_at: Nullable(Time),
  tasks: Type.Array(RunTask),
})
export type RunStep = Static<typeof RunStep>

export const QueueBlocker = Type.Object({
  runner_id: Uuid,
  runner: Type.String(),
  verdict: Type.String({ description: 'A sentence: why this runner does not take it, or that it can.' }),
})

export const RunApproval = Type.Object({
  name: Type.String({ description: 'The approval step; fork: of a run whose pull request comes from a fork.' }),
  decision: Type.Enum(['approve', 'reject']),
  by: Principal,
  comment: Text,
  commit_sha: Nullable(Type.String({ description: 'The commit that was approved or rejected.' })),
  decided_at: Time,
})
export type RunApproval = Static<typeof RunApproval>

export const RunPin = Type.Object({
  revision_id: Uuid,
  item: Type.String({ description: '<team path>/<name>.' }),
  kind: Type.String(),
  revision: Type.Integer(),
  step: Nullable(Type.String({ description: 'Null: when the run began.' })),
  task: Nullable(Type.String({ description: 'Null: when the step began.' })),
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
  run_team_path: Nullable(Type.String({ description: 'Team that hears of it; null: its own.' })),
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
      { run_id: Uuid, step: Type.String(), task: Type.String(), depth: Type.Integer() },
      {
        description: 'The task that it was made for; its end is the end of the task.',
      },
    ),
  ),
  rerun: Nullable(
    Type.Object(
      { of: Uuid, mode: Type.Enum(['whole', 'failed', 'step']), step: Text },
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
  step: Type.String(),
  task: Type.String(),
  name: Type.String(),
  sensitive: Type.Boolean(),
  value: Nullable(Type.String({ description: 'Null for a sensitive output: it is never returned.' })),
})
export type RunOutput = Static<typeof RunOutput>

export const FinalOutput = Type.Object({
  name: Type.String(),
  format: Type.Enum(['markdown', 'json', 'text']),
  content: Type.String(),
  generated_at: Time,
})
export type FinalOutput = Static<typeof FinalOutput>

export const FinalOutputParams = Type.Object({ id: Uuid, name: Type.String({ minLength: 1, maxLength: 200 }) })

export const RunParams = Type.Object({ id: Uuid })
