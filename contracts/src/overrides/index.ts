import { type Static, type TProperties, Type } from 'typebox'
import { EVENT_KINDS, REPOSITORY_SEGMENT } from '../event/index.ts'
import { LAYERS, ManifestTrace } from '../events/index.ts'
import {
  GIT_REF,
  Nullable,
  OURS,
  Owner,
  pageQuery,
  ReadOnly,
  Scope,
  STRICT,
  TeamPath,
  Time,
  Uuid,
} from '../http/index.ts'
import { PipelineIdentifier } from '../pipelines/index.ts'

// Together with the slash between them no longer than the full name of an event's repository.
const MAX_OWNER = 740
const MAX_REPOSITORY_NAME = 256
/** In characters. */
export const MAX_REASON = 1000
/** No segment is "." or "..": such a name means another one wherever it becomes part of an address. */
const NO_DOTS = '(?!(?:.*/)?\\.{1,2}(?:/|$))'

export const RepositoryOwner = Type.String({
  pattern: `^${NO_DOTS}~?${REPOSITORY_SEGMENT}(?:/${REPOSITORY_SEGMENT})*$`,
  maxLength: MAX_OWNER,
  description: 'All of the full name before its last slash; in a path URL-encoded, such as group%2Fsub.',
})
export const RepositoryName = Type.String({
  pattern: `^${NO_DOTS}${REPOSITORY_SEGMENT}$`,
  maxLength: MAX_REPOSITORY_NAME,
  description: 'The full name after its last slash.',
})

/** Owner and name are compared without regard to the case of ASCII letters. */
export const RepositoryParams = Type.Object({ repoOwner: RepositoryOwner, repoName: RepositoryName })
export type RepositoryParams = Static<typeof RepositoryParams>

const writable = {
  pipeline: PipelineIdentifier,
  scope: Scope,
  expires_at: Nullable(
    Type.String({ format: 'date-time', description: 'From then on it is not applied; null: never. Ahead of now.' }),
  ),
  reason: Nullable(Type.String({ maxLength: MAX_REASON, description: 'The reason, for later readers.' })),
} satisfies TProperties

export const Override = Type.Object({
  repo_owner: Type.String({ description: 'As it was written.' }),
  repo_name: Type.String({ description: 'As it was written.' }),
  ...writable,
  expired: Type.Boolean({
    description: 'An expired override is not applied; it stays until it is replaced or deleted.',
  }),
  in_effect: Type.Boolean({
    description: 'The override decides about events of the repository: a source vouches for it.',
  }),
  not_in_effect_because: Nullable(Type.String({ description: 'Why not, and what to do; one sentence or two.' })),
  owner: Owner,
  created_at: Time,
  updated_at: Time,
})
export type Override = Static<typeof Override>

/** `{}` where the repository has none, or none that the caller may see. */
export const OverrideOrNone = Type.Partial(Override)
export type OverrideOrNone = Static<typeof OverrideOrNone>

/** Accepted and ignored, so that a document that was read can be written back. */
const ignored = {
  repo_owner: ReadOnly,
  repo_name: ReadOnly,
  expired: ReadOnly,
  in_effect: ReadOnly,
  not_in_effect_because: ReadOnly,
  owner: ReadOnly,
  created_at: ReadOnly,
  updated_at: ReadOnly,
}

/** Body of PUT, and the document that is validated. Without a scope: the only environment of the pipeline's team. */
export const OverrideDocument = Type.Object(
  {
    pipeline: writable.pipeline,
    scope: Type.Optional(writable.scope),
    expires_at: Type.Optional(writable.expires_at),
    reason: Type.Optional(writable.reason),
    ...ignored,
  },
  STRICT,
)
export type OverrideDocument = Static<typeof OverrideDocument>

export const OverrideQuery = Type.Object({ ...pageQuery, team_path: Type.Optional(TeamPath) }, STRICT)
export type OverrideQuery = Static<typeof OverrideQuery>

/** One thing that is wrong with a document, or only suspicious. */
export const OverrideFault = Type.Object({
  field: Type.String({ description: 'Of the document, such as expires_at; empty: the document as a whole.' }),
  message: Type.String({ description: 'The error, and what to write instead.' }),
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1 }),
})
export type OverrideFault = Static<typeof OverrideFault>

export const OverrideValidation = Type.Object({
  valid: Type.Boolean(),
  errors: Type.Array(OverrideFault),
  warnings: Type.Array(OverrideFault),
})
export type OverrideValidation = Static<typeof OverrideValidation>

export const ResolutionQuery = Type.Object(
  {
    ref: Type.Optional(
      Type.String({
        ...GIT_REF,
        description: '`main` is the branch of that name, of tag, tag_deleted and release the tag; else in full.',
      }),
    ),
    event: Type.Optional(Type.Enum([...EVENT_KINDS], { description: 'Default push; where ref is one of a tag, tag.' })),
  },
  STRICT,
)
export type ResolutionQuery = Static<typeof ResolutionQuery>

/** A rule that would start a run, or that a higher layer keeps from it; an override also where it does not apply. */
export const ResolvedRun = Type.Object({
  layer: Type.Enum([...LAYERS]),
  trigger_id: Nullable(Uuid),
  name: Type.String(),
  pipeline: Type.String(),
  scope: Type.String(),
  would_start: Type.Boolean(),
  reason: Nullable(Type.String({ description: 'Why it would not start, or on what that depends; one sentence.' })),
})
export type ResolvedRun = Static<typeof ResolvedRun>

/** The runs that an event of a repository would start now, and the outranked rules. */
export const OverrideResolution = Type.Object({
  repository: Type.String({ description: 'owner/name' }),
  ref: Nullable(Type.String()),
  event: Type.Enum([...EVENT_KINDS]),
  layer: Nullable(Type.Enum([...LAYERS], { description: 'The layer that decides; null: nothing would start.' })),
  runs: Type.Array(ResolvedRun),
  losers: Type.Array(ResolvedRun, { description: 'Rules that a higher layer outranks.' }),
  manifest: Nullable(ManifestTrace),
})
export type OverrideResolution = Static<typeof OverrideResolution>

export const OverridePreviewDocument = Type.Object(
  {
    repo_owner: RepositoryOwner,
    repo_name: RepositoryName,
    pipeline: writable.pipeline,
    scope: Type.Optional(writable.scope),
  },
  STRICT,
)
export type OverridePreviewDocument = Static<typeof OverridePreviewDocument>

const PreviewedRun = Type.Object({ layer: Type.Enum([...LAYERS]), pipeline: Type.String(), scope: Type.String() })

/**
 * The runs that the latest deliveries of a repository would have started with the override, instead of those that they
 * did start.
 */
export const OverridePreview = Type.Object({
  in_effect: Type.Boolean({ description: 'Whether it would decide about events of the repository, were it stored.' }),
  not_in_effect_because: Nullable(Type.String()),
  deliveries_considered: Type.Integer({ minimum: 0 }),
  changes: Type.Array(
    Type.Object({
      delivery_id: Uuid,
      received_at: Time,
      event_type: Type.String({ description: "The provider's word." }),
      kind: Type.String({ ...OURS, description: 'Ours.' }),
      ref: Nullable(Type.String()),
      before: Type.Array(PreviewedRun, { description: 'The runs that it started, by rules that you may see.' }),
      after: Type.Array(PreviewedRun),
    }),
    { description: 'Only deliveries whose runs would differ in pipeline or scope; newest first.' },
  ),
})
export type OverridePreview = Static<typeof OverridePreview>
