import { type Static, type TProperties, Type } from 'typebox'
import {
  GIT_REF,
  Nullable,
  OURS,
  Owner,
  pageQuery,
  ReadOnly,
  Scope,
  STRICT,
  TeamPath,
  Time,
  Uuid,
} from '../http/index.ts'
import { PipelineIdentifier } from '../pipelines/index.ts'

export const SCHEDULE_KINDS = ['recurring', 'one_time'] as const
export type ScheduleKind = (typeof SCHEDULE_KINDS)[number]

export const OVERLAP_POLICIES = ['allow', 'skip', 'queue_one', 'cancel_running'] as const
export type OverlapPolicy = (typeof OVERLAP_POLICIES)[number]

export const MISFIRE_POLICIES = ['skip', 'last', 'all'] as const
export type MisfirePolicy = (typeof MISFIRE_POLICIES)[number]

export const DST_POLICIES = ['once', 'skip', 'both'] as const
export type DstPolicy = (typeof DST_POLICIES)[number]

/** What became of one planned instant. */
export const FIRE_OUTCOMES = [
  'pending',
  'started',
  'missed',
  'skipped_overlap',
  'denied',
  'invalid',
  'canceled',
] as const
export type FireOutcome = (typeof FIRE_OUTCOMES)[number]

export const ScheduleIdOrIdentifier = Type.String({
  maxLength: 600,
  pattern: '^([a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*){1,8}|[0-9A-Fa-f-]{36})$',
  description: 'The id, or the identifier <team path>/<name>, such as acme/web/nightly.',
})

export const ScheduleParams = Type.Object({ id: ScheduleIdOrIdentifier })

/** What says when a schedule fires. The room that reads it says what is wrong with its values. */
export const timing = {
  schedule_kind: Type.Enum([...SCHEDULE_KINDS], {
    description: 'recurring reads cron_expression; one_time reads run_at.',
  }),
  cron_expression: Nullable(
    Type.String({
      ...OURS,
      minLength: 1,
      maxLength: 200,
      description:
        'Five fields, or six with seconds first; names, @daily and its kin, L, # and H (a stable value of its own) are understood.',
    }),
  ),
  run_at: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'RFC 3339. Without an offset it is local time in `timezone`.',
    }),
  ),
  timezone: Type.String({
    ...OURS,
    minLength: 1,
    maxLength: 64,
    description: 'IANA name, such as Europe/Berlin. Default UTC.',
  }),
  dst_policy: Type.Enum([...DST_POLICIES], {
    description:
      'What a local time does that a change of the clock repeats: fire once (default), not at all, or both times. One that a change skips fires at the next valid instant.',
  }),
  spread: Nullable(
    Type.String({
      ...OURS,
      pattern: '^[1-9][0-9]{0,5}(s|m|h)$',
      description:
        'Such as 15m, at most 24h: each fire is that late at most, by an amount that stays the same for the schedule.',
    }),
  ),
  exclude_dates: Type.Array(
    Type.String({ minLength: 1, maxLength: 40, description: '2026-12-25, or 2026-12-24/2027-01-01 with both ends.' }),
    { maxItems: 400, description: 'Local dates in `timezone` on which it does not fire.' },
  ),
  calendar: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 65_536,
      description: 'A calendar as ICS text: the schedule does not fire during its events.',
    }),
  ),
  not_before: Nullable(Type.String({ format: 'date-time', description: 'It does not fire before this instant.' })),
  not_after: Nullable(Type.String({ format: 'date-time', description: 'It does not fire after this instant.' })),
} satisfies TProperties

const writable = {
  path: TeamPath,
  name: Type.String({
    ...OURS,
    pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
    description: 'Unique in its path: lower-case letters, digits, - and _, at most 63 characters.',
  }),
  pipeline: PipelineIdentifier,
  ...timing,
  enabled: Type.Boolean({ description: 'Default true.' }),
  scope: Type.String({
    ...Scope,
    description: '<team path>/<environment>. Default: the only environment of the team of the pipeline.',
  }),
  run_team_path: Nullable(
    Type.String({ ...TeamPath, description: 'Team that hears of its runs; null: that of the pipeline.' }),
  ),
  variables: Type.Record(
    Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' }),
    Type.String({ maxLength: 32_768 }),
    {
      maxProperties: 100,
      additionalProperties: false,
    },
  ),
  repository: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '^[^\\x00-\\x20]+$',
      description:
        '`owner/name` that its tasks check out, reached by a webhook source; needs `ref` and pipeline.write.',
    }),
  ),
  ref: Nullable(
    Type.String({
      ...GIT_REF,
      description: 'With repository: a branch or a tag, whose commit is looked up at each fire.',
    }),
  ),
  overlap_policy: Type.Enum([...OVERLAP_POLICIES], {
    description: 'What it does while an earlier run of it has not finished. Default allow.',
  }),
  misfire_policy: Type.Enum([...MISFIRE_POLICIES], {
    description:
      'What becomes of instants that are later than the grace: none fires (skip, the default), the last one, or all within the window.',
  }),
  misfire_grace_seconds: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    description: 'How late a fire may be, such as after downtime. Default 300.',
  }),
  misfire_window_seconds: Type.Integer({
    minimum: 0,
    maximum: 2_678_400,
    description: 'How far back misfire_policy last and all reach. Default 86400.',
  }),
} satisfies TProperties

const readOnly = {
  id: Uuid,
  identifier: Type.String({ ...OURS, description: '<path>/<name>' }),
  owner: Owner,
  next_fire_at: Nullable(Time),
  last_fire_at: Nullable(Type.String({ format: 'date-time', description: 'The planned instant of its last fire.' })),
  last_outcome: Nullable(Type.Enum([...FIRE_OUTCOMES])),
  last_reason: Nullable(Type.String({ description: 'Why its last fire started nothing, in one sentence.' })),
  last_run_id: Nullable(Uuid),
  created_at: Time,
  updated_at: Time,
} satisfies TProperties

export const Schedule = Type.Object({ ...writable, ...readOnly })
export type Schedule = Static<typeof Schedule>

const ignored = {
  id: ReadOnly,
  identifier: ReadOnly,
  owner: ReadOnly,
  next_fire_at: ReadOnly,
  last_fire_at: ReadOnly,
  last_outcome: ReadOnly,
  last_reason: ReadOnly,
  last_run_id: ReadOnly,
  created_at: ReadOnly,
  updated_at: ReadOnly,
  recent_runs: ReadOnly,
  upcoming: ReadOnly,
  words: ReadOnly,
} satisfies TProperties

const { path, name, pipeline, schedule_kind, ...optional } = writable

/** Body of POST and PUT. */
export const ScheduleDocument = Type.Object(
  { path, name, pipeline, schedule_kind, ...Type.Partial(Type.Object(optional)).properties, ...ignored },
  STRICT,
)
export type ScheduleDocument = Static<typeof ScheduleDocument>

export const SchedulePatch = Type.Object({ ...Type.Partial(Type.Object(writable)).properties, ...ignored }, STRICT)
export type SchedulePatch = Static<typeof SchedulePatch>

export const ScheduleQuery = Type.Object(
  {
    ...pageQuery,
    team_path: Type.Optional(Type.String({ ...TeamPath, description: 'Schedules of this team alone.' })),
    enabled: Type.Optional(Type.Boolean()),
  },
  STRICT,
)
export type ScheduleQuery = Static<typeof ScheduleQuery>

export const ScheduleRunStarted = Type.Object({ run_id: Uuid, status: Type.String({ description: 'queued' }) })
export type ScheduleRunStarted = Static<typeof ScheduleRunStarted>
