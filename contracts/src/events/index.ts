import { type Static, Type } from 'typebox'
import { EVENT_KINDS, PostedEvent } from '../event/index.ts'
import {
  CommitPrefix,
  FullRef,
  Nullable,
  OURS,
  OwnName,
  Principal,
  pageQuery,
  RefFilter,
  Scope,
  Sentence,
  STRICT,
  Time,
  Uuid,
} from '../http/index.ts'
import { recoveredMark } from '../recovery/index.ts'

/** In the order in which rules are held against an event. */
export const CONDITIONS = [
  'enabled',
  'source',
  'repository',
  'event',
  'action',
  'ref',
  'draft',
  'labels',
  'command',
  'commenter',
  'skip_ci',
  'paths',
  'if',
] as const

/** A kind of event, as it was stored: older records may have others. */
const KindWord = Type.String(OURS)

/** The team of a rule; no pattern, so that each stored trace stays readable. */
const TracedTeam = Type.String(OURS)

/** One condition of a trigger, with what the event showed. */
export const ConditionTrace = Type.Object({
  condition: Type.Enum([...CONDITIONS]),
  expected: Type.String(),
  seen: Nullable(Type.String()),
  passed: Nullable(Type.Boolean({ description: 'Null: not looked at, because an earlier condition failed.' })),
  note: Type.Optional(Type.String()),
})
export type ConditionTrace = Static<typeof ConditionTrace>

/**
 * Where a rule stands that says what an event starts. An override outranks the other two; of those, both are looked at,
 * and the manifest ranks first.
 */
export const LAYERS = ['override', 'repository_manifest', 'service_trigger'] as const
export type Layer = (typeof LAYERS)[number]

/** Why a trigger, an entry of a manifest or an override started a run, or why it did not. */
export const TriggerTrace = Type.Object({
  layer: Type.Enum([...LAYERS]),
  trigger_id: Nullable(Uuid),
  /** An entry of a manifest is named in its repository. */
  name: Type.String(),
  team_path: TracedTeam,
  pipeline: Nullable(
    Type.String({
      description: 'The pipeline that it starts, `<team path>/<name>`; null: the trace is older than this field.',
    }),
  ),
  matched: Type.Boolean(),
  first_failed: Nullable(Type.String({ ...OURS, description: 'The first condition that did not hold.' })),
  conditions: Type.Array(ConditionTrace),
  outcome: Type.Enum(
    ['started', 'held', 'canceled_runs', 'duplicate', 'deferred', 'outranked', 'refused', 'not_matched'],
    {
      description:
        'All but not_matched: every condition held. held: the run waits for an approval. canceled_runs: a comment asked for a cancel. ' +
        'duplicate: another delivery of the same event started it. deferred: the decision waits until the repository is read. ' +
        'outranked: a higher layer decides. refused: it may not start; `reason` says why.',
    },
  ),
  reason: Nullable(Type.String()),
  run_id: Nullable(Uuid),
})
export type TriggerTrace = Static<typeof TriggerTrace>

/** The result of reading the repository's manifest at the event's commit. */
export const ManifestTrace = Type.Object({
  state: Type.Enum(['pending', 'read', 'absent', 'invalid', 'unreadable'], {
    description: 'pending: being fetched. unreadable: it could not be fetched; `reason` says why.',
  }),
  path: Type.String(),
  commit_sha: Nullable(Type.String()),
  blob_id: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  problems: Type.Array(
    Type.Object({ line: Type.Integer(), column: Type.Integer(), directive: Type.String(), message: Type.String() }),
  ),
})
export type ManifestTrace = Static<typeof ManifestTrace>

/** A trigger whose repository patterns nearly name the repository of an event. */
export const NearMiss = Type.Object({
  trigger_id: Uuid,
  name: OwnName,
  team_path: TracedTeam,
  pattern: Type.String({ description: 'The pattern that nearly fits, or that takes the repository out.' }),
  reason: Type.String({ description: 'A sentence: what differs, and what to write instead.' }),
})
export type NearMiss = Static<typeof NearMiss>

/** One event of a delivery and every trigger of its repository that was considered. */
export const EventTrace = Type.Object({
  event_id: Uuid,
  kind: KindWord,
  action: Type.String(),
  repository: Type.String(),
  ref: Nullable(Type.String()),
  layer: Nullable(
    Type.Enum([...LAYERS], { description: 'The highest layer that started something; null: nothing started.' }),
  ),
  triggers: Type.Array(TriggerTrace),
  manifest: Nullable(ManifestTrace),
  note: Type.Optional(Sentence),
  near_misses: Type.Optional(
    Type.Array(NearMiss, {
      description:
        'Where nothing matched: at most ten triggers of today that the reader may see and whose repositories nearly fit.',
    }),
  ),
})
export type EventTrace = Static<typeof EventTrace>

/** Body of POST /v1/git/events: an event, or an event and the one pipeline that it starts. */
export const GitEvent = Type.Object(
  {
    ...PostedEvent.properties,
    // Runs fetch the ref: Git must take it, and it must be written in full.
    ref: Type.Optional(Nullable(FullRef)),
    pipeline: Type.Optional(
      Type.String({ minLength: 3, maxLength: 600, description: 'Starts this pipeline, whatever the triggers say.' }),
    ),
    scope: Type.Optional(Scope),
    variables: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' }), Type.String({ maxLength: 32_768 })),
    ),
  },
  { additionalProperties: false },
)
export type GitEvent = Static<typeof GitEvent>

const event_id = Type.String({ format: 'uuid', description: 'GET /v1/events/{id} says why.' })

export const GitEventAnswer = Type.Union([
  Type.Object({ status: Type.Enum(['accepted', 'ignored']), event_id }),
  Type.Object({ run_id: Uuid, event_id }),
])
export type GitEventAnswer = Static<typeof GitEventAnswer>

export const EVENT_RESULTS = ['accepted', 'ignored', 'duplicate', 'refused', 'pending'] as const
export type EventResult = (typeof EVENT_RESULTS)[number]

export const EVENT_CAUSES = ['delivery', 'posted'] as const

/** A change in a repository, as the service was told of it, and its outcome. */
export const EventRecord = Type.Object({
  id: Uuid,
  received_at: Time,
  cause: Type.Enum([...EVENT_CAUSES], {
    description: 'delivery: a provider told of it. posted: somebody did, by POST /v1/git/events.',
  }),
  kind: KindWord,
  action: Nullable(Type.String()),
  provider: Type.String(),
  repository: Type.String({ description: 'owner/repository' }),
  ref: Nullable(Type.String()),
  commit_sha: Nullable(Type.String()),
  result: Type.Enum([...EVENT_RESULTS], {
    description:
      'accepted: the event started or canceled something. ignored: nothing matched. duplicate: another event of the same change ' +
      'had started the runs. refused: something matched, but nothing may start. pending: the repository is being read.',
  }),
  source_id: Nullable(Uuid),
  delivery_id: Nullable(Type.String({ format: 'uuid', description: 'The record of its delivery.' })),
  replay_of: Nullable(
    Type.String({ format: 'uuid', description: 'The delivery that a person had run through the triggers again.' }),
  ),
  ...recoveredMark,
  posted_by: Nullable(Principal),
})
export type EventRecord = Static<typeof EventRecord>

export const EventDetail = Type.Object({
  ...EventRecord.properties,
  run_ids: Type.Array(Uuid, { description: 'The runs that it started by rules that the reader may see.' }),
  trace: Nullable(EventTrace, { description: 'Null: the record that it stands in is no longer kept.' }),
})
export type EventDetail = Static<typeof EventDetail>

export const EventParams = Type.Object({ id: Uuid })

export const EventQuery = Type.Object(
  {
    ...pageQuery,
    repository: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1000, description: 'owner/repository, in whatever case.' }),
    ),
    commit_sha: Type.Optional(CommitPrefix),
    ref: Type.Optional(RefFilter),
    kind: Type.Optional(Type.Enum([...EVENT_KINDS])),
    result: Type.Optional(Type.Enum([...EVENT_RESULTS])),
    cause: Type.Optional(Type.Enum([...EVENT_CAUSES])),
    since: Type.Optional(Type.String({ format: 'date-time', description: 'RFC 3339: received then or later.' })),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'RFC 3339: received before.' })),
  },
  STRICT,
)
export type EventQuery = Static<typeof EventQuery>
