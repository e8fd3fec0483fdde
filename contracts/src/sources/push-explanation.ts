import { type Static, Type } from 'typebox'
import { LAYERS } from '../events/index.ts'
import {
  CommitPrefix,
  Finding,
  GIT_REF,
  Nullable,
  OURS,
  Sentence,
  STRICT,
  TeamPath,
  Time,
  Uuid,
} from '../http/index.ts'

/** Query of GET /v1/explain/push: a repository and at most one of its changes, or a delivery. */
export const PushQuery = Type.Object(
  {
    repository: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'owner/repository, in whatever case. Without a change of it: what was told of it last.',
      }),
    ),
    commit_sha: Type.Optional(CommitPrefix),
    ref: Type.Optional(Type.String({ ...GIT_REF, description: '`main` is the branch or tag of that name.' })),
    tag: Type.Optional(Type.String(GIT_REF)),
    pull_request: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Its number.' })),
    delivery_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "Of its record, or the provider's own id." }),
    ),
  },
  STRICT,
)
export type PushQuery = Static<typeof PushQuery>

export const PUSH_OUTCOMES = ['started', 'held', 'waiting', 'duplicate', 'nothing', 'refused', 'not_heard'] as const
export type PushOutcome = (typeof PUSH_OUTCOMES)[number]

/** A sentence of ours, and beside it what others wrote. */
export const PushFinding = Type.Object({
  ...Finding.properties,
  rule: Type.Optional(
    Type.Object(
      {
        layer: Type.Enum([...LAYERS]),
        trigger_id: Nullable(Uuid),
        name: Type.String({ description: 'An entry of a manifest is named in its repository.' }),
        team_path: TeamPath,
      },
      { description: 'The rule that it is about.' },
    ),
  ),
  expected: Type.Optional(Type.String({ description: 'What the condition wants.' })),
  seen: Type.Optional(Type.String({ description: 'What the event showed instead.' })),
  told: Type.Optional(Type.String({ description: 'The reason as it was recorded.' })),
})
export type PushFinding = Readonly<Static<typeof PushFinding>>

/** A record that the answer explains. */
export const ExplainedChange = Type.Object({
  delivery_id: Nullable(Uuid),
  event_id: Nullable(Uuid),
  source_id: Nullable(Uuid),
  received_at: Time,
  kind: Nullable(Type.String({ ...OURS, description: 'Null: no event was read from the delivery.' })),
  ref: Nullable(Type.String()),
  commit_sha: Nullable(Type.String()),
  outcome: Type.Enum([...PUSH_OUTCOMES]),
  run_ids: Type.Array(Uuid),
})
export type ExplainedChange = Readonly<Static<typeof ExplainedChange>>

export const PushExplanation = Type.Object({
  repository: Nullable(Type.String({ description: 'As it was asked for, or as the delivery names it.' })),
  outcome: Type.Enum([...PUSH_OUTCOMES], {
    description:
      'The best of all records. held: a run waits for an approval. waiting: the repository is being read. refused: the ' +
      'delivery was not taken. not_heard: nothing of it is on record.',
  }),
  findings: Type.Array(PushFinding, { description: 'Most decisive first.' }),
  what_to_do: Type.Array(Finding),
  changes: Type.Array(ExplainedChange, { description: 'What the findings are about, at most five.' }),
  left_out: Type.Array(Sentence, { description: 'What the caller may not see, or what was too much.' }),
})
export type PushExplanation = Readonly<Static<typeof PushExplanation>>
