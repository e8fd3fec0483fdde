import { type Static, Type } from 'typebox'
import { Nullable, STRICT, Uuid } from '../http/index.ts'
import { DELIVERY_RESULTS, DeliveryTrace, deliveryFilter, until } from './delivery.ts'

const dry_run = Type.Optional(
  Type.Boolean({ description: 'Default false. Only explains what would start: nothing is stored, nothing starts.' }),
)

export const ReplayQuery = Type.Object({ dry_run }, STRICT)
export type ReplayQuery = Static<typeof ReplayQuery>

/** The option in the body, for a replay of many deliveries. */
export const ReplayOptions = Nullable(Type.Object({ dry_run }, STRICT))
export type ReplayOptions = Static<typeof ReplayOptions>

const replayed = {
  delivery_id: Nullable(
    Type.String({ format: 'uuid', description: 'The record of the replay; null with dry_run, which stores none.' }),
  ),
  replay_of: Uuid,
  result: Type.Enum([...DELIVERY_RESULTS]),
  reason: Type.String({ description: 'One sentence.' }),
  run_ids: Type.Array(Uuid, { description: 'With dry_run: empty; the trace says what would start.' }),
}

/** The outcome of one delivery that ran through today's triggers again. */
export const Replay = Type.Object({ ...replayed, trace: DeliveryTrace })
export type Replay = Static<typeof Replay>

/** The deliveries of a source to run again: the named ones, or the newest that fit; oldest first. */
export const ReplayRequest = Type.Object(
  {
    ...deliveryFilter,
    until,
    delivery_ids: Type.Optional(
      Type.Array(Uuid, { minItems: 1, maxItems: 500, uniqueItems: true, description: 'Ids of records.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'Default 50.' })),
    dry_run,
  },
  STRICT,
)
export type ReplayRequest = Static<typeof ReplayRequest>

export const ReplayBatch = Type.Object({
  replays: Type.Array(
    Type.Object({
      ...replayed,
      trace: Nullable(Type.Object(DeliveryTrace.properties, { description: 'With dry_run; else its record has it.' })),
    }),
    { description: 'Oldest first.' },
  ),
  skipped: Type.Array(Type.Object({ delivery_id: Uuid, reason: Type.String() }), {
    description: 'The deliveries that could not be run again, each with a sentence that says why.',
  }),
})
export type ReplayBatch = Static<typeof ReplayBatch>
