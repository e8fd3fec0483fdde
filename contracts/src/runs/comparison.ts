import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, Time, Uuid } from '../http/index.ts'

const Text = Nullable(Type.String())
const Milliseconds = Nullable(Type.Integer({ description: 'Null: it has not begun, or not ended.' }))

export const CompareParams = Type.Object({ id: Uuid, other: Uuid })

const ComparedRun = Type.Object({
  run_id: Uuid,
  pipeline: OwnName,
  pipeline_version: Type.Integer(),
  status: OwnName,
  reason: Text,
  cause: OwnName,
  rerun_of: Nullable(Uuid),
  scope: OwnName,
  branch: Text,
  commit_sha: Text,
  queued_at: Time,
  started_at: Nullable(Time),
  finished_at: Nullable(Time),
  waited_ms: Milliseconds,
  took_ms: Milliseconds,
})

const ComparedStep = Type.Object({ status: Nullable(OwnName), reason: Text, took_ms: Milliseconds })
const ComparedTask = Type.Object({
  ...ComparedStep.properties,
  attempts: Type.Integer(),
  exit_code: Nullable(Type.Integer()),
  runner_id: Nullable(Type.String({ format: 'uuid', description: 'Of the last attempt.' })),
  runner: Nullable(Type.String({ ...OURS, description: 'The name of the runner, while it is enrolled.' })),
})

/** `left` is the run of the path, `right` the other; null: that run has none such. */
export const RunComparison = Type.Object({
  left: ComparedRun,
  right: ComparedRun,
  document: Type.Object({
    same: Type.Boolean(),
    diff: Nullable(Type.String({ description: 'From left to right, in unified form; null where they are the same.' })),
  }),
  variables: Type.Array(Type.Object({ name: Type.String(), left: Text, right: Text }), {
    description: 'The variables that differ. The values of secret variables are not told.',
  }),
  steps: Type.Array(Type.Object({ step: OwnName, left: Nullable(ComparedStep), right: Nullable(ComparedStep) })),
  tasks: Type.Array(
    Type.Object({
      step: OwnName,
      task: OwnName,
      left: Nullable(ComparedTask),
      right: Nullable(ComparedTask),
    }),
  ),
})
export type RunComparison = Static<typeof RunComparison>
