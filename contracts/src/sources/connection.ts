import { type Static, Type } from 'typebox'
import { Nullable, STRICT, Time, Uuid } from '../http/index.ts'

export const CONNECTION_STATES = ['pending', 'active', 'broken'] as const

/** The differences between the webhook and its wanted form; see the descriptions. */
export const CONNECTION_DIFFERENCES = [
  'missing',
  'doubled',
  'address',
  'disabled',
  'events',
  'content_type',
  'secret',
] as const

/** A webhook that the service made at the provider, or found there. */
export const Connection = Type.Object({
  source_id: Uuid,
  repository: Type.String({ description: 'owner/repository, as it was written.' }),
  hook_id: Nullable(Type.String({ description: "The provider's own id of the webhook; null: there is none." })),
  state: Type.Enum([...CONNECTION_STATES], {
    description:
      'pending: no delivery has proved the webhook yet. active: a delivery has. ' +
      'broken: the webhook at the provider is wrong, or cannot be kept right.',
  }),
  reason: Type.String({ description: 'One sentence: what is known, and what to do.' }),
  differences: Type.Array(Type.Enum([...CONNECTION_DIFFERENCES]), {
    description:
      'The faults found when the provider was last asked. missing: there is no webhook. doubled: several send ' +
      'to the source. secret: the webhook may not hold the newest version of the secret.',
  }),
  connected_at: Time,
  checked_at: Type.String({ format: 'date-time', description: 'When the provider was asked last.' }),
  first_delivery_at: Nullable(
    Type.String({ format: 'date-time', description: 'When a delivery first proved the webhook as it is now.' }),
  ),
})
export type Connection = Static<typeof Connection>

export const ConnectionResult = Type.Object({
  ...Connection.properties,
  done: Type.Enum(['created', 'repaired', 'unchanged'], { description: 'The changes made at the provider.' }),
  repaired: Type.Array(Type.Enum([...CONNECTION_DIFFERENCES]), { description: 'What differed before.' }),
})
export type ConnectionResult = Static<typeof ConnectionResult>

/** The repository, and the credential to ask its provider with. */
export const ConnectionRequest = Type.Object(
  {
    repository: Type.String({
      minLength: 3,
      maxLength: 500,
      pattern: '^[^\\p{Cc}/]+(/[^\\p{Cc}/]+)+$',
      description: 'owner/repository; the allowlist of the source must admit it.',
    }),
    token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description:
          'A token of the provider that may manage webhooks, for this one call: it is not stored. Default: the ' +
          'checkout_credential_ref of the source.',
      }),
    ),
  },
  STRICT,
)
export type ConnectionRequest = Static<typeof ConnectionRequest>

export const Disconnection = Type.Object({
  repository: Type.String(),
  removed: Type.Integer({ description: 'How many webhooks were removed at the provider; 0: there was none.' }),
})
export type Disconnection = Static<typeof Disconnection>
