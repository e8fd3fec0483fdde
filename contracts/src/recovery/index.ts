import { type Static, Type } from 'typebox'
import { Nullable, pageQuery, STRICT, Time, Uuid } from '../http/index.ts'

export const RecoverySourceParams = Type.Object({ sourceID: Uuid }, STRICT)
export type RecoverySourceParams = Static<typeof RecoverySourceParams>

export const RecoveryQuery = Type.Object({ ...pageQuery }, STRICT)
export type RecoveryQuery = Static<typeof RecoveryQuery>

/** On a delivery, and on each event of it. */
export const recoveredMark = {
  recovered: Type.Boolean({
    description: 'Whether it was missed first, and sent again because this service asked for it.',
  }),
  missed_at: Nullable(Time, {
    description: 'When it was missed; null: it was not, as far as the log of the provider tells.',
  }),
}

/** `missing`: it is asked for again. `recovered`: it came. `given_up`: it will not be asked for any more. */
export const RECOVERY_STATES = ['missing', 'recovered', 'given_up'] as const
export type RecoveryState = (typeof RECOVERY_STATES)[number]

/** One delivery that the provider's log has and this service had not. */
export const Recovery = Type.Object({
  id: Uuid,
  source_id: Uuid,
  state: Type.Enum([...RECOVERY_STATES]),
  provider_delivery_id: Type.String({ description: "The provider's id of the delivery, the same for each attempt." }),
  repository: Nullable(Type.String({ description: 'Whose webhook sent it; null: the webhook of an app.' })),
  event_type: Type.String({ description: "The provider's word." }),
  missed_at: Time,
  requested_at: Nullable(Time, { description: 'When the provider was last asked to send it again.' }),
  recovered_at: Nullable(Time),
  delivery_id: Nullable(Uuid),
  tries: Type.Integer({ description: 'How often the provider was asked.' }),
  given_up_reason: Nullable(Type.String({ description: 'One sentence.' })),
})
export type Recovery = Static<typeof Recovery>

export const RecoveryGap = Type.Object({ from: Time, to: Time })

/** How complete the deliveries of a source are, as far as its provider's log tells. */
export const RecoveryStanding = Type.Object({
  looked_at: Nullable(Time, { description: 'When a log of the provider was last read; null: never.' }),
  gap: Nullable(RecoveryGap, {
    description: 'The time of which it is not known yet that nothing is missing; null: there is none.',
  }),
  missing: Type.Integer(),
  recovered_7_days: Type.Integer(),
  reason: Nullable(Type.String({ description: 'Why the newest look failed, or why no log is read.' })),
})
export type RecoveryStanding = Static<typeof RecoveryStanding>
