import { type Static, Type } from 'typebox'
import { PostedEvent } from '../event/index.ts'
import { Nullable, Scope, Uuid } from '../http/index.ts'

/** One condition of a trigger, with what the event showed. */
export const ConditionTrace = Type.Object({
  condition: Type.Enum(['enabled', 'source', 'repository', 'event', 'action', 'ref', 'paths', 'if']),
  expected: Type.String(),
  seen: Nullable(Type.String()),
  passed: Nullable(Type.Boolean({ description: 'Null: not looked at, because an earlier condition failed.' })),
  note: Type.Optional(Type.String()),
})
export type ConditionTrace = Static<typeof ConditionTrace>

/** Why a trigger started a run, or why it did not. */
export const TriggerTrace = Type.Object({
  trigger_id: Uuid,
  name: Type.String(),
  team_path: Type.String(),
  matched: Type.Boolean(),
  first_failed: Nullable(Type.String({ description: 'The first condition that did not hold.' })),
  conditions: Type.Array(ConditionTrace),
  outcome: Type.Enum(['started', 'refused', 'not_matched'], {
    description: 'refused: every condition held, but the run may not start; `reason` says why.',
  }),
  reason: Nullable(Type.String()),
  run_id: Nullable(Uuid),
})
export type TriggerTrace = Static<typeof TriggerTrace>

/** One event of a delivery and every trigger of its repository that was considered. */
export const EventTrace = Type.Object({
  event_id: Uuid,
  kind: Type.String(),
  action: Type.String(),
  repository: Type.String(),
  ref: Nullable(Type.String()),
  triggers: Type.Array(TriggerTrace),
  note: Type.Optional(Type.String()),
})
export type EventTrace = Static<typeof EventTrace>

/** Body of POST /v1/git/events: an event, or an event and the one pipeline that it starts. */
export const GitEvent = Type.Object(
  {
    ...PostedEvent.properties,
    pipeline: Type.Optional(
      Type.String({ minLength: 3, maxLength: 600, description: 'Starts this pipeline, whatever the triggers say.' }),
    ),
    scope: Type.Optional(Scope),
    variables: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' }), Type.String({ maxLength: 32_768 })),
    ),
  },
  { additionalProperties: false },
)
export type GitEvent = Static<typeof GitEvent>

export const GitEventAnswer = Type.Union([
  Type.Object({ status: Type.Enum(['accepted', 'ignored']) }),
  Type.Object({ run_id: Uuid }),
])
export type GitEventAnswer = Static<typeof GitEventAnswer>
