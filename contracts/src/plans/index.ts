import { type Static, Type } from 'typebox'
import { Finding, Nullable, OURS, OwnName, Principal, pageQuery, Sentence, STRICT, Time, Uuid } from '../http/index.ts'

/** The actions that can be planned: the `operationId` of each route. */
export const PLANNABLE = [
  'startRun',
  'rerunRun',
  'cancelRun',
  'decideApproval',
  'createPipeline',
  'replacePipeline',
  'updateRunner',
  'replaceOverride',
  'deleteOverride',
  'createTrigger',
  'replaceTrigger',
  'updateTrigger',
  'deleteTrigger',
  'replayDelivery',
  'createSchedule',
  'replaceSchedule',
  'updateSchedule',
  'deleteSchedule',
  'enableSchedule',
  'disableSchedule',
  'runSchedule',
] as const
export type PlannableAction = (typeof PLANNABLE)[number]

export const PLAN_STATUSES = ['waiting', 'waiting_for_person', 'confirmed', 'refused', 'expired', 'stale'] as const
export type PlanStatus = (typeof PLAN_STATUSES)[number]

const Action = Type.Enum([...PLANNABLE], { description: 'The operationId of the route that is called.' })
const Target = Type.String({
  ...OURS,
  maxLength: 1200,
  description: 'What it is done to, such as pipeline acme/web/build.',
})

/** What the route is called with, as its own documentation says. */
export const PlanArguments = Type.Object(
  {
    params: Type.Optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 1100 }), { maxProperties: 10 }),
    ),
    query: Type.Optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 2000 }), { maxProperties: 20 }),
    ),
    body: Type.Optional(Type.Unknown()),
  },
  STRICT,
)
export type PlanArguments = Static<typeof PlanArguments>

export const PlanRequest = Type.Object({ action: Action, ...PlanArguments.properties }, STRICT)
export type PlanRequest = Static<typeof PlanRequest>

/** A thing that a plan counts on: it is compared again when the plan is carried out. */
export const Precondition = Type.Object({
  name: Type.String({ ...OURS, description: 'Such as pipeline_version, commit_sha or status.' }),
  value: Type.String({ ...OURS, pattern: '^[\\w./:+-]{1,700}$' }),
})
export type Precondition = Static<typeof Precondition>

/** What the write answered. */
export const PlanOutcome = Type.Object({
  status: Nullable(Type.Integer(), { description: 'Null: the process died after the write and before its answer.' }),
  body: Type.Unknown({ description: 'The answer of the route, for whoever may still do what was done.' }),
  resources: Type.Array(
    Type.Object({
      kind: OwnName,
      id: Nullable(Uuid),
      name: Nullable(Type.String({ description: 'Of what has no id of ours, such as a repository.' })),
    }),
    { description: 'What was written.' },
  ),
})
export type PlanOutcome = Static<typeof PlanOutcome>

export const Plan = Type.Object({
  id: Uuid,
  action: Action,
  target: Target,
  arguments: PlanArguments,
  effects: Type.Array(Finding),
  preconditions: Type.Array(Precondition),
  confirmation: Type.Enum(['agent', 'person'], {
    description: 'agent: whoever planned confirms. person: after that another person approves.',
  }),
  confirmation_reason: Nullable(Sentence),
  status: Type.Enum([...PLAN_STATUSES]),
  planned_by: Principal,
  token_id: Nullable(Uuid, { description: 'The token that planned, which alone confirms; null for a session.' }),
  decided_by: Nullable(Principal, { description: 'The person who approved or refused.' }),
  decided_at: Nullable(Time),
  refusal: Nullable(Type.String({ description: 'What the person who refused wrote.' })),
  replaced_by: Nullable(Uuid, { description: 'Of a stale plan, for its planner: the fresh one.' }),
  outcome: Nullable(PlanOutcome),
  may_confirm: Type.Boolean({ description: 'The caller may confirm now.' }),
  may_approve: Type.Boolean({ description: 'The caller may approve and refuse now.' }),
  created_at: Time,
  expires_at: Time,
})
export type Plan = Static<typeof Plan>

export const PlanParams = Type.Object({ id: Uuid })

export const PlanQuery = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(Type.Enum([...PLAN_STATUSES])),
    show: Type.Optional(
      Type.Enum(['all', 'own', 'to_approve'], {
        default: 'all',
        description:
          "own: the caller's. to_approve: those of others that wait for a person, and that the caller may approve.",
      }),
    ),
  },
  STRICT,
)
export type PlanQuery = Static<typeof PlanQuery>

/** Says again what the plan is for: a client shows it to its person. */
export const PlanConfirmation = Type.Object({ action: Action, target: Target }, STRICT)
export type PlanConfirmation = Static<typeof PlanConfirmation>

export const PlanRefusal = Nullable(
  Type.Object({ reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })) }, STRICT),
)
export type PlanRefusal = Static<typeof PlanRefusal>
