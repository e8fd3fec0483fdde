import { type Static, Type } from 'typebox'
import { Finding, Nullable, OwnName, STRICT, Time, Uuid } from '../http/index.ts'
import { RunSummary } from './summary.ts'

const Text = Nullable(Type.String())
const Milliseconds = Nullable(Type.Integer({ description: 'Null: it has not begun, or not ended.' }))
const Match = Type.Enum(['same_branch', 'other_branch', 'other_scope'], {
  description: 'How near it is: of the same branch or pull request; of the same scope; of another scope.',
})

/** The newest success before a run, of the same pipeline. */
export const LastSuccess = Type.Object({ match: Match, run: RunSummary })
export type LastSuccess = Static<typeof LastSuccess>

export const ChangesQuery = Type.Object(
  {
    run_id: Uuid,
    with: Type.Optional(
      Type.String({ format: 'uuid', description: 'The run to compare with; default: the last success before it.' }),
    ),
  },
  STRICT,
)
export type ChangesQuery = Static<typeof ChangesQuery>

const ChangedTaskSide = Type.Object({
  status: OwnName,
  took_ms: Milliseconds,
  exit_code: Nullable(Type.Integer()),
  runner_id: Nullable(Uuid),
  runner: Nullable(OwnName),
  image: Text,
  digest: Text,
})

/** What is different about a run, beside an earlier one; `was` is that of the earlier one. */
export const RunChanges = Type.Object({
  run_id: Uuid,
  with: Uuid,
  match: Nullable(Match, { description: 'Null where the run to compare with was named.' }),
  status: Type.Object({ was: OwnName, is: OwnName }),
  queued_at: Type.Object({ was: Time, is: Time }),
  took_ms: Type.Object({ was: Milliseconds, is: Milliseconds }),
  findings: Type.Array(Finding, { description: 'The most telling first.' }),
  commit_sha: Type.Object({ was: Text, is: Text }),
  branch: Type.Object({ was: Text, is: Text }),
  variables: Type.Array(Type.Object({ name: Type.String(), was: Text, is: Text }), {
    description: 'Those that differ, each value cut at 200 characters; the values of secret ones are not told.',
  }),
  document_diff: Nullable(
    Type.String({ description: 'From the earlier document to this one, cut at 8,000 characters; null: the same.' }),
  ),
  tasks: Type.Array(
    Type.Object({ step: OwnName, task: OwnName, was: Nullable(ChangedTaskSide), is: Nullable(ChangedTaskSide) }),
    { description: 'Those that differ in status, runner, image or clearly in time; at most 50.' },
  ),
  tasks_left_out: Type.Integer(),
})
export type RunChanges = Static<typeof RunChanges>
