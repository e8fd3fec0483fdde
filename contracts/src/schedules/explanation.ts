import { type Static, Type } from 'typebox'
import { Finding, OURS, STRICT, Time, Uuid } from '../http/index.ts'
import { ScheduleIdOrIdentifier } from './schedule.ts'

/** Query of GET /v1/explain/schedule. */
export const ScheduleExplanationQuery = Type.Object(
  {
    schedule: ScheduleIdOrIdentifier,
    at: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description:
          "The instant in question: RFC 3339; without an offset local time in the schedule's zone. Default: now.",
      }),
    ),
  },
  STRICT,
)
export type ScheduleExplanationQuery = Static<typeof ScheduleExplanationQuery>

/** What a sentence is read from. */
export const ExplanationEvidence = Type.Object({
  kind: Type.Enum(['schedule', 'fire', 'run']),
  id: Type.String(),
})
export type ExplanationEvidence = Static<typeof ExplanationEvidence>

/** A sentence of ours, and beside it the recorded reason, or what a calendar says. */
export const ScheduleFinding = Type.Object({ ...Finding.properties, told: Type.Optional(Type.String()) })
export type ScheduleFinding = Static<typeof ScheduleFinding>

export const ScheduleExplanation = Type.Object({
  schedule_id: Uuid,
  identifier: Type.String(OURS),
  at: Time,
  findings: Type.Array(ScheduleFinding),
  sentences: Type.Array(Type.Object({ text: Type.String(), evidence: Type.Array(ExplanationEvidence) }), {
    description: 'The findings once more, each with its reason as one text.',
  }),
})
export type ScheduleExplanation = Static<typeof ScheduleExplanation>
