import { type Static, Type } from 'typebox'
import { Nullable, Scope, STRICT, Time, Uuid } from '../http/index.ts'
import { JUDGED_AT, KNOWLEDGE_KEY, KnowledgeInput, OwnerPath } from '../knowledge/index.ts'
import { MOST_TRIED_RUNS } from './limits.ts'

/** `not_asked`: its pattern or its place does not fit; `unknown`: what the rule reads is not kept any more. */
export const TRIAL_VERDICTS = ['allowed', 'blocked', 'not_asked', 'unknown'] as const
/** `blocked`: by this item or another one; `not_begun`: it waits, or ended in the queue. */
export const TRIAL_HAPPENED = ['allowed', 'blocked', 'not_begun'] as const

/** One item, saved (`item`) or not (`draft`), and the past runs on which it is tried. The trial stores and starts nothing. */
export const KnowledgeTrial = Type.Object(
  {
    item: Type.Optional(
      Type.String({ ...KNOWLEDGE_KEY, description: 'Id or identifier, such as acme/web/pinned-images.' }),
    ),
    draft: Type.Optional(KnowledgeInput),
    pipeline: Type.Optional(
      Type.String({ minLength: 1, maxLength: 600, description: 'Only runs of this pipeline: uuid or identifier.' }),
    ),
    /** Only runs of this team and the teams below. Without `pipeline`, `team_path` and `scope`: the team of the item. */
    team_path: Type.Optional(OwnerPath),
    /** Only runs in this scope. */
    scope: Type.Optional(Scope),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MOST_TRIED_RUNS, default: 50, description: 'The newest so many runs.' }),
    ),
  },
  STRICT,
)
export type KnowledgeTrial = Static<typeof KnowledgeTrial>

const Count = Type.Integer({ minimum: 0 })

export const TriedPlace = Type.Object(
  {
    at: Type.Enum([...JUDGED_AT]),
    step: Nullable(Type.String()),
    task: Nullable(Type.String()),
    began_at: Type.String({ format: 'date-time', description: 'The time that the rule read as `now`.' }),
  },
  { description: 'What would not have begun.' },
)
export type TriedPlace = Static<typeof TriedPlace>

export const TriedRun = Type.Object({
  run_id: Uuid,
  pipeline: Type.String(),
  team_path: Type.String(),
  scope: Type.String(),
  status: Type.String(),
  queued_at: Time,
  happened: Type.Enum([...TRIAL_HAPPENED], { description: 'What all rules of then made of the run.' }),
  verdict: Type.Enum([...TRIAL_VERDICTS], { description: 'What this item would have made of it.' }),
  differs: Type.Boolean({
    description: 'The run would have been stopped, or would have gone on, only with this item.',
  }),
  place: Nullable(TriedPlace),
  violation: Nullable(Type.String({ description: 'The sentence that the run would have failed with.' })),
  places: Type.Integer({ minimum: 0, description: 'Run, steps and tasks about which the item was asked.' }),
  unknown: Type.Array(Type.String(), { description: 'What is not known any more, or never was, in sentences.' }),
})
export type TriedRun = Static<typeof TriedRun>

export const KnowledgeTrialResult = Type.Object({
  item: Type.String({ description: 'The identifier.' }),
  tried: Type.Integer({ minimum: 0, description: 'Runs that the caller may read, newest first.' }),
  differing: Type.Integer({ minimum: 0, description: 'How many of these would have gone otherwise.' }),
  verdicts: Type.Object(
    { allowed: Count, blocked: Count, not_asked: Count, unknown: Count },
    { description: 'How many runs have which verdict.' },
  ),
  stopped_early: Nullable(
    Type.String({ description: 'Why not all of the wanted runs were tried; null: all that there are were.' }),
  ),
  runs: Type.Array(TriedRun),
})
export type KnowledgeTrialResult = Static<typeof KnowledgeTrialResult>
