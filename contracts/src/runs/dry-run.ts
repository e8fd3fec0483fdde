import { type Static, Type } from 'typebox'
import { Finding, Nullable, OwnName, Scope, STRICT, Uuid } from '../http/index.ts'
import { RunStatus } from './run-status.ts'

const Text = Nullable(Type.String())

export const DryRunQuery = Type.Object(
  {
    dry_run: Type.Optional(
      Type.Boolean({
        description: 'Default false. Judges all of it and says what would happen (200); nothing changes.',
      }),
    ),
  },
  STRICT,
)
export type DryRunQuery = Static<typeof DryRunQuery>

const DryRunStep = Type.Object({
  name: OwnName,
  scope: Nullable(Scope, { description: 'Null: that of the run.' }),
  tasks: Type.Integer(),
  taken_over: Type.Integer({ description: 'Of a rerun of a part: tasks that are not done again.' }),
  waits_for_approval: Type.Boolean(),
})

/** A run that would end, or be asked to end. */
const DryRunOther = Type.Object({
  run_id: Uuid,
  status: RunStatus,
  becomes: Type.Enum(['canceled', 'canceling'], { description: 'canceling: once its runners have said so.' }),
})

/** What a start, a rerun or a cancel would do at this moment. */
export const RunDryRun = Type.Object({
  action: Type.Enum(['start', 'rerun', 'cancel']),
  pipeline_id: Uuid,
  pipeline: OwnName,
  pipeline_version: Type.Integer(),
  scope: Scope,
  protected: Type.Boolean({ description: 'The scope, or that of a step, is protected or not known.' }),
  status: Type.String({
    ...RunStatus,
    description: 'Of the new run once it is queued: canceled where its group skips it. Of cancel: what follows.',
  }),
  withheld: Nullable(Type.Enum(['group', 'fork_approval']), { description: 'What the new run would wait for.' }),
  priority: Type.Integer(),
  repository: Text,
  ref: Text,
  commit_sha: Text,
  concurrency_group: Text,
  variables: Type.Record(Type.String(), Type.String()),
  secret_variables: Type.Array(Type.String(), { description: 'Names of variables whose values are not told.' }),
  note: Text,
  reason: Text,
  steps: Type.Array(DryRunStep, { description: 'In the order of the document; empty for cancel.' }),
  others: Type.Array(DryRunOther, { description: 'Other runs that it would end.' }),
  effects: Type.Array(Finding),
})
export type RunDryRun = Static<typeof RunDryRun>
