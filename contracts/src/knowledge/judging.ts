import { type Static, Type } from 'typebox'
import { Nullable, Scope, STRICT } from '../http/index.ts'
import { JUDGED_AT } from './items.ts'

/** One thing that is wrong with an item; line and column count within the text of the field. */
export const KnowledgeFault = Type.Object({
  field: Type.String({ description: 'Such as rule.' }),
  message: Type.String({ description: 'The error, and what to write instead.' }),
  line: Nullable(Type.Integer({ minimum: 1, description: 'Of rules; null: the field as a whole.' })),
  column: Nullable(Type.Integer({ minimum: 1 })),
})
export type KnowledgeFault = Static<typeof KnowledgeFault>

export const KnowledgeValidation = Type.Object({
  valid: Type.Boolean(),
  errors: Type.Array(KnowledgeFault),
  judged_at: Type.Array(Type.Enum([...JUDGED_AT]), { description: 'Where the rule would be judged.' }),
})
export type KnowledgeValidation = Static<typeof KnowledgeValidation>

const Text = Type.String({ maxLength: 65_536 })
const Name = Type.String({ minLength: 1, maxLength: 600 })
const Images = Type.Array(Name, { maxItems: 100 })

const SampleRun = Type.Object(
  {
    pipeline: Name,
    team_path: Type.Optional(Name),
    scope: Scope,
    initiator: Type.Optional(Type.Object({ kind: Name, name: Name }, STRICT)),
    cause: Type.Optional(Name),
    repository: Type.Optional(Nullable(Name)),
    branch: Type.Optional(Nullable(Name)),
    untrusted: Type.Optional(Type.Boolean()),
    variables: Type.Optional(Type.Record(Name, Text, { maxProperties: 200 })),
  },
  { ...STRICT, description: 'Left out: the team of the pipeline, the caller, request, no repository, not untrusted.' },
)

const SampleStep = Type.Object(
  { name: Name, scope: Type.Optional(Nullable(Scope)), images: Type.Optional(Images) },
  { ...STRICT, description: 'Without a scope: that of the run.' },
)

const SampleTask = Type.Object(
  {
    name: Name,
    kind: Type.Optional(Name),
    image: Type.Optional(Nullable(Name)),
    images: Type.Optional(Images),
    profile: Type.Optional(Nullable(Name)),
    commands: Type.Optional(Text),
  },
  STRICT,
)

/** A run, step or task that is about to begin, to be judged by an item. The test stores and starts nothing. */
export const KnowledgeTest = Type.Object(
  {
    run: SampleRun,
    step: Type.Optional(SampleStep),
    task: Type.Optional(SampleTask),
    now: Type.Optional(Type.String({ format: 'date-time', description: 'Default: now.' })),
  },
  STRICT,
)
export type KnowledgeTest = Static<typeof KnowledgeTest>

export const KnowledgeTestResult = Type.Object({
  at: Type.Enum([...JUDGED_AT], { description: 'The place that was described.' }),
  applies: Type.Boolean({ description: 'The pattern matches the scope of the place.' }),
  judged: Type.Boolean({ description: 'The rule is judged at this place.' }),
  violation: Nullable(Type.String({ description: 'The sentence that a run would fail with; null: it would begin.' })),
})
export type KnowledgeTestResult = Static<typeof KnowledgeTestResult>
