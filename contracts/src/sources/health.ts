import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, TeamPath, Time, Uuid } from '../http/index.ts'
import { RecoveryStanding } from '../recovery/index.ts'

export const SOURCE_STATES = ['healthy', 'failing', 'silent', 'disabled', 'unused'] as const

/** How a source does, as its provider sees it. */
export const SourceHealth = Type.Object({
  status: Type.Enum([...SOURCE_STATES], {
    description:
      'unused: nothing ever came. failing: the newest deliveries were refused. ' +
      'silent: what came was answered well, but nothing came for 30 days.',
  }),
  sentence: Type.String({ description: 'The fault, and what to do about it.' }),
  last_delivery_at: Nullable(Time),
  last_accepted_at: Nullable(
    Type.String({ format: 'date-time', description: 'When a delivery was last answered with 2xx.' }),
  ),
  rejected_in_a_row: Type.Integer({
    description: 'Newest answers in a row that are no 2xx; pings and tests are left out. At most 1,000 are counted.',
  }),
  provider_pauses_after: Nullable(
    Type.Integer({ description: 'After so many the provider pauses or disables the webhook; null: it never does.' }),
  ),
  probably_paused: Type.Boolean({
    description: 'Whether so many deliveries in a row were refused of which it is proved that the provider sent them.',
  }),
  unusable_events: Type.Array(
    Type.Object({
      event_type: Type.String(),
      action: Nullable(Type.String()),
      count: Type.Integer(),
      last_at: Time,
    }),
    {
      description:
        'Events of the last 7 days that nothing can use: the provider need not send them. Most frequent first.',
    },
  ),
  former_names: Type.Array(
    Type.Object({
      former_name: Type.String(),
      name: Type.String({ description: 'The name to use for the repository.' }),
      since: Type.String({ format: 'date-time', description: 'When a delivery named it like that first.' }),
      triggers: Type.Array(Type.Object({ id: Uuid, name: OwnName, team_path: TeamPath })),
      overrides: Type.Array(Type.Object({ pipeline: Type.String(OURS) })),
    }),
    {
      description:
        'Repositories that were renamed or moved, with the triggers and overrides that name them as before, as far as ' +
        'the caller may see these. At most 100.',
    },
  ),
  credentials: Type.Array(
    Type.Object({
      secret_id: Uuid,
      version: Type.Integer(),
      created_at: Time,
      last_used_at: Nullable(Time),
    }),
    { description: 'Live versions of the secret of credential_ref, newest first; empty for env:NAME.' },
  ),
  recovery: RecoveryStanding,
})
export type SourceHealth = Static<typeof SourceHealth>
