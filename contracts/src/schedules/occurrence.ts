import { type Static, Type } from 'typebox'
import { Nullable, OURS, STRICT, Time } from '../http/index.ts'
import { ScheduleIdOrIdentifier, timing } from './schedule.ts'

export const OCCURRENCE_MARKS = ['shifted', 'first_of_two', 'second_of_two', 'spread', 'excluded'] as const

/** One instant at which a schedule fires, or does not because it is excluded. */
export const Occurrence = Type.Object({
  planned_at: Time,
  nominal_at: Type.String({
    format: 'date-time',
    description:
      'The instant that the expression names: what a task sees as SIGNALBOX_SCHEDULED_AT. Without the spread.',
  }),
  local: Type.String({ ...OURS, description: 'planned_at in the zone of the schedule, with its offset.' }),
  marks: Type.Array(Type.Enum([...OCCURRENCE_MARKS]), {
    description:
      'shifted: a change of the clock skips its local time. first_of_two, second_of_two: one repeats it. spread: it is later by the spread. excluded: it does not fire.',
  }),
  excluded_by: Nullable(Type.String({ description: 'The date, or the event of the calendar, that excludes it.' })),
})
export type Occurrence = Static<typeof Occurrence>

/** Body of POST /v1/schedules/preview. */
export const SchedulePreviewInput = Type.Object(
  {
    ...Type.Partial(Type.Object(timing)).properties,
    schedule: Type.Optional(
      Type.String({
        ...ScheduleIdOrIdentifier,
        description: 'The schedule whose spread and H are meant; without it those of a new one are not known.',
      }),
    ),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Instants after this one. Default: now.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 10 })),
  },
  STRICT,
)
export type SchedulePreviewInput = Static<typeof SchedulePreviewInput>

export const SchedulePreview = Type.Object({
  words: Type.String({
    ...OURS,
    description: 'The expression as a sentence, such as "At 02:30, Monday through Friday".',
  }),
  timezone: Type.String(OURS),
  spread_known: Type.Boolean({
    description: 'False: the spread or H of a schedule that is not stored yet will be another one.',
  }),
  instants: Type.Array(Occurrence, { description: 'In order; excluded ones too, with their mark.' }),
})
export type SchedulePreview = Static<typeof SchedulePreview>
