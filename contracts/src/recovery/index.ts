import { type Static, Type } from 'typebox'
import { Nullable, pageQuery, STRICT, Time, Uuid } from '../http/index.ts'

export const RecoverySourceParams = Type.Object({ sourceID: Uuid }, STRICT)
export type RecoverySourceParams = Static<typeof RecoverySourceParams>

export const RecoveryQuery = Type.Object({ ...pageQuery }, STRICT)
export type RecoveryQuery = Static<typeof RecoveryQuery>

/** On a delivery, and on each event of it. */
export const recoveredMark = {
  recovered: Type.Boolean({
    description: 'Whether it was missed first: it was sent again, or this service made the event of it.',
  }),
  missed_at: Nullable(Time, {
    description:
      'When it was missed; null: it was not, as far as the provider tells. Of an event that this service made: when the ' +
      'former head was seen last.',
  }),
}

/** `missing`: it is asked for again. `recovered`: it came. `given_up`: it will not be asked for any more. */
export const RECOVERY_STATES = ['missing', 'recovered', 'given_up'] as const
export type RecoveryState = (typeof RECOVERY_STATES)[number]

/**
 * `resend`: the log of the provider has the delivery, and it is sent again. `made`: the provider shows no log, and the event
 * was made from the heads of branches and pull requests that it shows.
 */
export const RECOVERY_KINDS = ['resend', 'made'] as const

/** One delivery that this service missed. */
export const Recovery = Type.Object({
  id: Uuid,
  source_id: Uuid,
  kind: Type.Enum([...RECOVERY_KINDS]),
  state: Type.Enum([...RECOVERY_STATES]),
  provider_delivery_id: Type.String({
    description:
      "The provider's id of the delivery, the same for each attempt; of a made one an id that stands for it.",
  }),
  repository: Nullable(Type.String({ description: 'Whose webhook sent it; null: the webhook of an app.' })),
  event_type: Type.String({ description: "The provider's word; of a made one the kind of the event." }),
  ref: Nullable(Type.String({ description: 'Of a made one: the full ref, or that of the pull request.' })),
  before_sha: Nullable(Type.String({ description: 'Of a made one: the head before; null: there was none.' })),
  head_sha: Nullable(
    Type.String({ description: 'Of a made one: the commit, or as much of its name as the provider shows.' }),
  ),
  event_id: Nullable(Uuid, { description: 'Of a made one: the event.' }),
  missed_at: Time,
  requested_at: Nullable(Time, { description: 'When the provider was last asked to send it again.' }),
  recovered_at: Nullable(Time),
  delivery_id: Nullable(Uuid),
  tries: Type.Integer({ description: 'How often the provider was asked.' }),
  given_up_reason: Nullable(Type.String({ description: 'One sentence.' })),
})
export type Recovery = Static<typeof Recovery>

export const RecoveryGap = Type.Object({ from: Time, to: Time })

/** How complete the deliveries of a source are, as far as the log or the heads of its provider tell. */
export const RecoveryStanding = Type.Object({
  looked_at: Nullable(Time, { description: 'When a log or heads of the provider were last read; null: never.' }),
  gap: Nullable(RecoveryGap, {
    description: 'The time of which it is not known yet that nothing is missing; null: there is none.',
  }),
  missing: Type.Integer(),
  recovered_7_days: Type.Integer(),
  reason: Nullable(Type.String({ description: 'Why the newest look failed, or why nothing is looked at.' })),
})
export type RecoveryStanding = Static<typeof RecoveryStanding>
