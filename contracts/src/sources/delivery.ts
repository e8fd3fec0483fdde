import { type Static, Type } from 'typebox'
import { Event } from '../event/index.ts'
import { EventTrace } from '../events/index.ts'
import { CommitPrefix, Nullable, pageQuery, RefFilter, STRICT, TeamFilter, Time, Uuid } from '../http/index.ts'
import { recoveredMark } from '../recovery/index.ts'

export const DELIVERY_RESULTS = ['accepted', 'ignored', 'duplicate', 'unprocessable', 'rejected'] as const
export const VERIFICATIONS = ['verified', 'missing', 'mismatch', 'not_checked'] as const

export const DeliveryParams = Type.Object({ sourceID: Uuid, deliveryID: Uuid })

export const Delivery = Type.Object({
  id: Uuid,
  source_id: Uuid,
  received_at: Time,
  event_type: Type.String({ description: "The provider's word; empty where the delivery names none." }),
  action: Nullable(Type.String()),
  repository: Nullable(Type.String({ description: 'owner/repository' })),
  ref: Nullable(Type.String()),
  commit_sha: Nullable(Type.String()),
  sender: Nullable(Type.String()),
  result: Type.Enum([...DELIVERY_RESULTS]),
  verification: Type.Enum([...VERIFICATIONS]),
  status_code: Type.Integer({ description: 'The answer that the sender got.' }),
  reason: Type.String({ description: 'One sentence.' }),
  delivery_id: Nullable(Type.String({ description: "The provider's own id." })),
  duplicate_of: Nullable(Uuid),
  replay_of: Nullable(
    Type.String({ format: 'uuid', description: 'The delivery that a person had run through the triggers again.' }),
  ),
  ...recoveredMark,
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
  events: Nullable(
    Type.Array(Event, {
      description:
        'The payload as conditions and variables of triggers see it, in the order of the trace. Facts that only an ' +
        'earlier event or the repository tells are not in it. Null: the payload is not kept.',
    }),
  ),
  headers: Nullable(Type.Record(Type.String(), Type.String(), { description: 'Less credentials; null: not kept.' })),
  payload: Nullable(Type.Unknown({ description: 'As it was sent; text where it is no JSON; null: not kept.' })),
})
export type DeliveryDetail = Static<typeof DeliveryDetail>

/** The filters of a list of deliveries. */
export const deliveryFilter = {
  result: Type.Optional(Type.Enum([...DELIVERY_RESULTS])),
  event_type: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "The provider's word, exactly." }),
  ),
  repository: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'owner/repository, in whatever case.' }),
  ),
  since: Type.Optional(
    Type.String({ format: 'date-time', description: 'RFC 3339: deliveries received then or later.' }),
  ),
}

export const until = Type.Optional(
  Type.String({ format: 'date-time', description: 'RFC 3339: deliveries received before.' }),
)

export const DeliveryQuery = Type.Object(
  {
    ...pageQuery,
    ...deliveryFilter,
    commit_sha: Type.Optional(CommitPrefix),
    ref: Type.Optional(RefFilter),
    until,
  },
  STRICT,
)
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const AllDeliveriesQuery = Type.Object(
  {
    ...DeliveryQuery.properties,
    source: Type.Optional(
      Type.Array(Uuid, {
        minItems: 1,
        maxItems: 100,
        description: 'Of one of these sources; repeat the parameter for several.',
      }),
    ),
    teamId: Type.Optional(TeamFilter),
  },
  STRICT,
)
export type AllDeliveriesQuery = Static<typeof AllDeliveriesQuery>

/** Any text: an unknown source is answered 404. */
export const IngressParams = Type.Object({ sourceID: Type.String() })

/** The answer of ingress to the sender. */
export const IngressAnswer = Type.Object({ status: Type.Enum(['accepted', 'ignored']) })
export type IngressAnswer = Static<typeof IngressAnswer>
