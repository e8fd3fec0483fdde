import { type Static, type TProperties, Type } from 'typebox'
import { EVENT_KINDS } from '../event/index.ts'
import { TriggerTrace } from '../events/index.ts'
import { Nullable, OURS, Owner, pageQuery, Scope, STRICT, TeamPath, Time, Uuid } from '../http/index.ts'
import { ON_CONFLICT } from '../runs/index.ts'

function patterns(description: string, minItems = 0) {
  return Type.Array(Type.String({ minLength: 1, maxLength: 201 }), { minItems, maxItems: 200, description })
}

export const DRAFT_RULES = ['any', 'exclude', 'only'] as const

/** Runs of one group, in the team of the pipeline. */
const Concurrency = Type.Object(
  {
    group: Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'Text; `${{ run.group_key }}` is replaced by the value of the CEL. Runs of equal text are of one group.',
    }),
    on_conflict: Type.Enum([...ON_CONFLICT], {
      description:
        'The effect of a new run while another of the group has not ended: it ends the other, waits for it, or is left out.',
    }),
  },
  STRICT,
)

const writable = {
  name: Type.String({
    ...OURS,
    pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
    description: 'Unique in its team: lower-case letters, digits, - and _, at most 63 characters.',
  }),
  team_path: TeamPath,
  source_id: Nullable(
    Type.String({
      format: 'uuid',
      description: 'Only deliveries of this source; null: of every source that the owner may see, and posted events.',
    }),
  ),
  repositories: patterns('owner/repository patterns; "!" excludes, the last that fits decides.', 1),
  events: Type.Array(Type.Enum([...EVENT_KINDS]), { minItems: 1, maxItems: EVENT_KINDS.length, uniqueItems: true }),
  actions: Type.Array(Type.String({ ...OURS, pattern: '^[a-z_]{1,100}$' }), {
    maxItems: 50,
    description:
      'Empty: all, but for pull_request (opened, reopened, synchronized), pull_request_comment (created), pull_request_review (approved), merge_group (checks_requested), deployment_status (success) and release (published).',
  }),
  branches: patterns('Branch patterns; empty: all, or none where `tags` is given.'),
  tags: patterns('Tag patterns; empty: all, or none where `branches` is given.'),
  paths: patterns('Patterns of changed files. A list that the provider cut short counts as a match.'),
  labels: patterns(
    'Patterns of labels of the pull request. By the last pattern that fits, some label must be taken in and none taken out. With exclusions only, none may be taken out. Capitals do not count.',
  ),
  draft: Type.Enum([...DRAFT_RULES], {
    description: 'Whether pull requests that are drafts start it. One of which the provider does not say is no draft.',
  }),
  commands: Type.Array(Type.String({ minLength: 2, maxLength: 100 }), {
    maxItems: 20,
    description:
      'Of pull_request_comment: the first non-empty line of a new comment must be one of these, such as /retest, with or without further words. /cancel cancels what this trigger started for the pull request.',
  }),
  commenters: Type.Array(Type.String({ minLength: 1, maxLength: 201 }), {
    maxItems: 200,
    description:
      'The authors whose comments count: patterns of logins, ! excludes, and the words @members (who may write, as the provider says) and @author. Empty: anybody, but with `commands` members only.',
  }),
  skip_ci: Type.Boolean({
    description:
      'Whether a push starts nothing where the message of its head commit has [skip ci], [ci skip], [no ci], [skip actions], ***NO_CI*** or ends with skip-checks: true. Default true.',
  }),
  report_comment: Type.Boolean({
    description:
      'Whether the pull request of an event gets one comment of its source that shows what became of it. Default false.',
  }),
  if: Nullable(Type.String({ minLength: 1, maxLength: 2048, description: 'CEL over `event`.' })),
  pipeline: Type.String({
    ...OURS,
    pattern: '^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*){1,8}$',
    maxLength: 600,
    description: '<team path>/<pipeline name>',
  }),
  scope: Scope,
  variables: Type.Record(
    Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' }),
    Type.String({ maxLength: 32_768, description: 'Text; `${{ event.branch }}` is replaced by the value of the CEL.' }),
    { maxProperties: 100, additionalProperties: false },
  ),
  concurrency: Nullable(Concurrency),
  enabled: Type.Boolean(),
} satisfies TProperties

const readOnly = {
  id: Uuid,
  source_lost_at: Nullable(
    Type.String({ format: 'date-time', description: 'When its source was deleted; it matches nothing since.' }),
  ),
  owner: Owner,
  created_at: Time,
  updated_at: Time,
} satisfies TProperties

export const TriggerParams = Type.Object({ id: Uuid })

/** The JSON schema of a repository's manifest. */
export const TriggerSchema = Type.Unknown()

export const Trigger = Type.Object({ ...writable, ...readOnly })
export type Trigger = Static<typeof Trigger>

/** Accepted and ignored, so that a document that was read can be written back. */
const ignored = Type.Partial(
  Type.Object({
    id: Type.Unknown(),
    source_lost_at: Type.Unknown(),
    owner: Type.Unknown(),
    created_at: Type.Unknown(),
    updated_at: Type.Unknown(),
  }),
).properties

const { name, team_path, repositories, events, pipeline, scope, ...optional } = writable

/** Body of POST and PUT. */
export const TriggerDocument = Type.Object(
  {
    name,
    team_path,
    repositories,
    events,
    pipeline,
    scope,
    ...Type.Partial(Type.Object(optional)).properties,
    ...ignored,
  },
  STRICT,
)
export type TriggerDocument = Static<typeof TriggerDocument>

export const TriggerPatch = Type.Object({ ...Type.Partial(Type.Object(writable)).properties, ...ignored }, STRICT)
export type TriggerPatch = Static<typeof TriggerPatch>

export const TriggerQuery = Type.Object(
  { ...pageQuery, team_path: Type.Optional(TeamPath), source_id: Type.Optional(Uuid) },
  STRICT,
)
export type TriggerQuery = Static<typeof TriggerQuery>

/** Body of POST /v1/triggers/simulate. */
export const TriggerSimulation = Type.Object(
  {
    trigger: TriggerDocument,
    source_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'Only deliveries of this source; else of that of the trigger, or of all.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many events of deliveries at most.' }),
    ),
  },
  STRICT,
)
export type TriggerSimulation = Static<typeof TriggerSimulation>

/**
 * The trace of the trigger alone for kept deliveries of its repositories; overrides that would outrank it are not
 * asked.
 */
export const TriggerSimulationResult = Type.Object({
  deliveries_considered: Type.Integer(),
  results: Type.Array(
    Type.Object({
      delivery_id: Type.String({ format: 'uuid', description: "Id of the delivery's record." }),
      source_id: Uuid,
      received_at: Time,
      event_kind: Type.Enum([...EVENT_KINDS]),
      action: Type.String(),
      repository: Type.String(),
      ref: Nullable(Type.String()),
      matched: Type.Boolean(),
      trace: TriggerTrace,
    }),
    { description: 'One for each event, newest first.' },
  ),
})
export type TriggerSimulationResult = Static<typeof TriggerSimulationResult>
