import { type Static, type TProperties, Type } from 'typebox'
import { EventTrace } from '../events/index.ts'
import { Nullable, pageQuery, strict, TeamPath, Time, Uuid } from '../http/index.ts'

const credential = (description: string) => Type.String({ minLength: 1, maxLength: 700, description })

const writable = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\p{Cc}]*\\S[^\\p{Cc}]*$' }),
  provider: Type.String({ maxLength: 100, description: 'A known provider kind, such as github.' }),
  enabled: Type.Boolean({ description: 'Default true. A disabled source answers 404 on ingress.' }),
  team_path: TeamPath,
  visibility: Type.Enum(['private', 'shared'], {
    description: 'Default private: triggers whose owner may see the source. shared: the triggers of every team.',
  }),
  auth_mode: Type.Enum(['signature', 'token', 'basic'], { description: "Default: the provider's own signature." }),
  credential_ref: credential('secret:<team path>/<name>, or env:NAME where the operator lists NAME'),
  checkout_credential_ref: Nullable(credential('May read the repositories for checkouts; null: they are public.')),
  repository_allowlist: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    minItems: 1,
    maxItems: 1000,
    description: 'owner/repository patterns: * within a segment, ** across.',
  }),
  rate_limit: Type.Object(
    { per_minute: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Default 600.' }) },
    strict,
  ),
  acknowledge_unmapped: Type.Boolean({
    description: 'Default false. Answers 200 instead of 422 to events that nothing can use.',
  }),
} satisfies TProperties

export const WebhookSource = Type.Object({
  id: Uuid,
  ...writable,
  connected_trigger_count: Type.Integer({ description: 'Triggers that use the source.' }),
  created_at: Time,
  updated_at: Time,
})
export type WebhookSource = Static<typeof WebhookSource>

/** Accepted and ignored, so that a document that was read can be written back. */
const ignored = Type.Partial(
  Type.Object({
    id: Type.Unknown(),
    connected_trigger_count: Type.Unknown(),
    created_at: Type.Unknown(),
    updated_at: Type.Unknown(),
  }),
).properties

const { name, provider, team_path, credential_ref, repository_allowlist, ...optional } = writable

/** Body of POST and PUT; what is left out has its default. */
export const WebhookSourceDocument = Type.Object(
  {
    name,
    provider,
    team_path,
    credential_ref,
    repository_allowlist,
    ...Type.Partial(Type.Object(optional)).properties,
    ...ignored,
  },
  strict,
)
export type WebhookSourceDocument = Static<typeof WebhookSourceDocument>

export const WebhookSourcePatch = Type.Object({ ...Type.Partial(Type.Object(writable)).properties, ...ignored }, strict)
export type WebhookSourcePatch = Static<typeof WebhookSourcePatch>

export const WebhookSourceQuery = Type.Object({ ...pageQuery, team_path: Type.Optional(TeamPath) }, strict)
export type WebhookSourceQuery = Static<typeof WebhookSourceQuery>

export const DeleteSourceQuery = Type.Object(
  { if_unused: Type.Optional(Type.Boolean({ description: 'Answers 409 while triggers use the source.' })) },
  strict,
)
export type DeleteSourceQuery = Static<typeof DeleteSourceQuery>

export const DELIVERY_RESULTS = ['accepted', 'ignored', 'duplicate', 'unprocessable', 'rejected'] as const
export const VERIFICATIONS = ['verified', 'missing', 'mismatch', 'not_checked'] as const

export const Delivery = Type.Object({
  id: Uuid,
  received_at: Time,
  event_type: Type.String({ description: "The provider's word; empty where the delivery names none." }),
  action: Nullable(Type.String()),
  repository: Nullable(Type.String({ description: 'owner/repository' })),
  ref: Nullable(Type.String()),
  commit_sha: Nullable(Type.String()),
  sender: Nullable(Type.String()),
  result: Type.Enum([...DELIVERY_RESULTS]),
  verification: Type.Enum([...VERIFICATIONS]),
  status_code: Type.Integer({ description: 'What the sender was answered.' }),
  reason: Type.String({ description: 'One sentence.' }),
  delivery_id: Nullable(Type.String({ description: "The provider's own id." })),
  duplicate_of: Nullable(Uuid),
  run_id: Type.Optional(Uuid),
  run_ids: Type.Array(Uuid),
  duration_ms: Type.Number(),
  payload_bytes: Type.Integer(),
})
export type Delivery = Static<typeof Delivery>

export const DeliveryTrace = Type.Object({
  verification: Type.String({ description: 'One sentence on the signature.' }),
  events: Type.Array(EventTrace),
})
export type DeliveryTrace = Static<typeof DeliveryTrace>

export const DeliveryDetail = Type.Object({
  ...Delivery.properties,
  trace: DeliveryTrace,
  headers: Nullable(Type.Record(Type.String(), Type.String(), { description: 'Less credentials; null: not kept.' })),
  payload: Nullable(Type.Unknown({ description: 'As it was sent; text where it is no JSON; null: not kept.' })),
})
export type DeliveryDetail = Static<typeof DeliveryDetail>

export const DeliveryQuery = Type.Object(pageQuery, strict)
export type DeliveryQuery = Static<typeof DeliveryQuery>

/** What ingress answers to the sender. */
export const IngressAnswer = Type.Object({ status: Type.Enum(['accepted', 'ignored']) })
export type IngressAnswer = Static<typeof IngressAnswer>
