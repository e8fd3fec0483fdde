import { type Static, Type } from 'typebox'
import { Nullable, Principal, pageQuery, STRICT, Time, Uuid } from '../http/index.ts'
import { FIRE_OUTCOMES, ScheduleIdOrIdentifier } from './schedule.ts'

export const FIRE_KINDS = ['scheduled', 'requested', 'backfill'] as const
export type FireKind = (typeof FIRE_KINDS)[number]

/** What became of one instant: every planned one has such a record. */
export const ScheduleFire = Type.Object({
  id: Uuid,
  kind: Type.Enum([...FIRE_KINDS], {
    description: 'scheduled: its time came. requested: somebody ran it now. backfill: somebody asked for its range.',
  }),
  planned_at: Time,
  nominal_at: Type.String({
    format: 'date-time',
    description: 'The instant that the expression names, without the spread.',
  }),
  fired_at: Nullable(Type.String({ format: 'date-time', description: 'When it was decided; null while pending.' })),
  outcome: Type.Enum([...FIRE_OUTCOMES], {
    description:
      'pending and canceled: of a backfill. started: see run_id. missed: too late. skipped_overlap: an earlier run had not finished. denied: its owner may not start it any more. invalid: it cannot run.',
  }),
  run_id: Nullable(Uuid),
  reason: Nullable(Type.String({ description: 'Why it started nothing, in one sentence.' })),
  missed_count: Type.Integer({
    description: 'How many instants this record stands for: more than 1 after a long downtime.',
  }),
  missed_until: Nullable(
    Type.String({ format: 'date-time', description: 'The last of those instants, where there are several.' }),
  ),
  backfill_id: Nullable(Uuid),
})
export type ScheduleFire = Static<typeof ScheduleFire>

export const FireQuery = Type.Object(
  {
    ...pageQuery,
    outcome: Type.Optional(Type.Enum([...FIRE_OUTCOMES])),
    since: Type.Optional(Type.String({ format: 'date-time', description: 'Planned then or later.' })),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'Planned before.' })),
  },
  STRICT,
)
export type FireQuery = Static<typeof FireQuery>

/** Body of POST /v1/schedules/{id}/backfill. */
export const BackfillInput = Type.Object(
  {
    from: Type.String({ format: 'date-time', description: 'The first instant of the range.' }),
    to: Type.String({ format: 'date-time', description: 'The last instant of the range; not in the future.' }),
    only_missing: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Leave out instants at which the schedule started a run. Default true.',
      }),
    ),
    concurrency: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, default: 1, description: 'How many of its runs at a time. Default 1.' }),
    ),
  },
  STRICT,
)
export type BackfillInput = Static<typeof BackfillInput>

export const BACKFILL_STATES = ['running', 'finished', 'canceled'] as const
export type BackfillState = (typeof BACKFILL_STATES)[number]

export const Backfill = Type.Object({
  id: Uuid,
  schedule_id: Uuid,
  from: Time,
  to: Time,
  only_missing: Type.Boolean(),
  concurrency: Type.Integer(),
  state: Type.Enum([...BACKFILL_STATES]),
  requested_by: Principal,
  total: Type.Integer({ description: 'Instants of the range that it fires.' }),
  pending: Type.Integer(),
  started: Type.Integer(),
  unfinished: Type.Integer({ description: 'Of those started, runs that have not finished.' }),
  failed: Type.Integer({ description: 'Instants that started nothing: see the fires.' }),
  canceled: Type.Integer(),
  created_at: Time,
  finished_at: Nullable(Time),
})
export type Backfill = Static<typeof Backfill>

export const BackfillParams = Type.Object({ id: ScheduleIdOrIdentifier, backfill_id: Uuid })
export const BackfillQuery = Type.Object({ ...pageQuery }, STRICT)
