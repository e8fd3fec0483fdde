import type {
  Branch,
  Connection,
  ConnectionResult,
  DeliveryDetail,
  Disconnection,
  Replay,
  ReplayBatch,
  SourceHealth,
} from '@signalbox/contracts/sources'
import { triggerTrace } from './answers.ts'
import { flag, list, number, object, orNull, partOf, text } from './shape.ts'

// As answers.ts, for the commands of sources.

export const manifestTrace = object({
  state: text,
  path: text,
  reason: orNull(text),
  problems: list(object({ line: number, column: number, directive: text, message: text })),
})
export type ManifestTrace = ReturnType<typeof manifestTrace>

const event = object({
  kind: text,
  repository: text,
  ref: orNull(text),
  triggers: list(triggerTrace),
  manifest: orNull(manifestTrace),
})
const nearMiss = object({ name: text, team_path: text, pattern: text, reason: text })
const optional = object({ note: orNull(text), near_misses: orNull(list(nearMiss)) })

/** What may be left out, deep within an answer; the shapes of objects know no such field. */
function eventTrace(value: unknown, at: string): ReturnType<typeof event> & Partial<ReturnType<typeof optional>> {
  return { ...event(value, at), ...optional(value, at) }
}

const deliveryTrace = object({ verification: text, events: list(eventTrace) })
export type DeliveryTrace = ReturnType<typeof deliveryTrace>

export const deliveryDetail = partOf<DeliveryDetail>()(
  object({
    id: text,
    received_at: text,
    event_type: text,
    repository: orNull(text),
    ref: orNull(text),
    result: text,
    status_code: number,
    reason: text,
    trace: deliveryTrace,
  }),
)

const replayed = {
  delivery_id: orNull(text),
  replay_of: text,
  result: text,
  reason: text,
  run_ids: list(text),
}

export const replay = partOf<Replay>()(object({ ...replayed, trace: deliveryTrace }))

export const replayBatch = partOf<ReplayBatch>()(
  object({
    replays: list(object(replayed)),
    skipped: list(object({ delivery_id: text, reason: text })),
  }),
)

export const sourceHealth = partOf<SourceHealth>()(
  object({
    status: text,
    sentence: text,
    last_delivery_at: orNull(text),
    last_accepted_at: orNull(text),
    rejected_in_a_row: number,
    probably_paused: flag,
    unusable_events: list(object({ event_type: text, action: orNull(text), count: number, last_at: text })),
    former_names: list(
      object({
        former_name: text,
        name: text,
        triggers: list(object({ name: text, team_path: text })),
        overrides: list(object({ pipeline: text })),
      }),
    ),
    credentials: list(object({ version: number, created_at: text, last_used_at: orNull(text) })),
  }),
)

export const branch = partOf<Branch>()(object({ name: text, commit_sha: text }))

const connected = {
  source_id: text,
  repository: text,
  hook_id: orNull(text),
  state: text,
  reason: text,
  differences: list(text),
  first_delivery_at: orNull(text),
  checked_at: text,
}

export const connection = partOf<Connection>()(object(connected))

export const connectionResult = partOf<ConnectionResult>()(object({ ...connected, done: text, repaired: list(text) }))

export const disconnection = partOf<Disconnection>()(object({ repository: text, removed: number }))
