import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, Principal, Time, Uuid } from '../http/index.ts'
import { RunStatus } from './run-status.ts'

const Text = Nullable(Type.String())

/** The effect of a new run on unfinished runs of its group. */
export const ON_CONFLICT = ['cancel_running', 'queue', 'skip'] as const

export const RunSummary = Type.Object({
  run_id: Uuid,
  pipeline_id: Uuid,
  pipeline: Type.String({ ...OURS, description: '<team path>/<name>, as it was when the run was queued.' }),
  pipeline_name: OwnName,
  pipeline_version: Type.Integer(),
  team_path: OwnName,
  scope: OwnName,
  status: RunStatus,
  reason: Nullable(Type.String({ description: 'One sentence for a status that needs one.' })),
  cause: Type.String({
    ...OURS,
    description: 'event, request, rerun, schedule, external or pipeline (a task of another run).',
  }),
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
  final_output_status: OwnName,
})
export type RunSummary = Static<typeof RunSummary>
