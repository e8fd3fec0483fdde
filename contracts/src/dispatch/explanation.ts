import { type Static, Type } from 'typebox'
import { Finding, Nullable, OURS, OwnName, Scope, Sentence, STRICT, Time, Uuid } from '../http/index.ts'
import { RunStatus } from '../runs/index.ts'

export const RunExplanationQuery = Type.Object({ run_id: Uuid }, STRICT)
export type RunExplanationQuery = Static<typeof RunExplanationQuery>

/** Runners of which the same is to be said. */
const RunnerGroup = Type.Object({
  verdict: Sentence,
  count: Type.Integer(),
  runners: Type.Array(Type.Object({ id: Uuid, name: OwnName }), { description: 'Five of them at most, by name.' }),
})
export type RunnerGroup = Static<typeof RunnerGroup>

/** Words of others that a finding rests on. */
const Quote = Type.Object({
  about: Type.String({ ...OURS, description: 'The code of the finding, or a step or task: `build/test`.' }),
  text: Type.String({ description: 'Cut at 500 characters.' }),
})

/** Why a run waits, what it does, or what became of it. */
export const RunExplanation = Type.Object({
  run_id: Uuid,
  pipeline: OwnName,
  scope: Scope,
  status: RunStatus,
  queued_at: Time,
  started_at: Nullable(Time),
  finished_at: Nullable(Time),
  findings: Type.Array(Finding, { description: 'The most decisive first.' }),
  what_to_do: Type.Array(Finding),
  runners: Type.Array(RunnerGroup, {
    description: 'While something waits for a runner: the verdicts of the runners that the caller may see.',
  }),
  quotes: Type.Array(Quote, { description: 'What others wrote: reasons, names of groups, messages. At most 20.' }),
  left_out: Type.Array(Type.Enum(['runner.read', 'knowledge.read']), {
    description: 'Permissions that the caller lacks; what they would show is left out.',
  }),
})
export type RunExplanation = Static<typeof RunExplanation>
