import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, pageQuery, ReadOnly, STRICT, TeamPath, Time, Uuid } from '../http/index.ts'

/** Name of a pipeline wherever one is named: `<team path>/<name>`. */
export const PipelineIdentifier = Type.String({
  ...OURS,
  pattern: '^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*){1,8}$',
  maxLength: 600,
  description: '<team path>/<name>, such as acme/web/build.',
})

export const PipelineParams = Type.Object({
  id: Type.String({
    maxLength: 600,
    pattern: '^([a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*){1,8}|[0-9A-Fa-f-]{36})$',
    description: 'The id, or the URL-encoded identifier, such as acme%2Fweb%2Fbuild.',
  }),
})

export const PipelineVersionParams = Type.Object({
  id: PipelineParams.properties.id,
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
})

/** A problem of a document, or a warning. Directive and message quote the document. */
export const DocumentProblem = Type.Object({
  code: Type.String({ ...OURS, description: 'Stable, such as unknown_directive.' }),
  directive: Type.String({ description: 'A path by names, such as steps.deploy.tasks.ship.env.COVERAGE.' }),
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1 }),
  message: Type.String({ description: 'The error, and what to write instead.' }),
})
export type DocumentProblem = Static<typeof DocumentProblem>

export const PipelineSummary = Type.Object({
  id: Uuid,
  team_path: TeamPath,
  name: OwnName,
  identifier: PipelineIdentifier,
  version: Type.Integer({ minimum: 1, description: 'The current one; each save makes the next.' }),
  created_at: Time,
  updated_at: Time,
})
export type PipelineSummary = Static<typeof PipelineSummary>

/** A pipeline in a list. */
export const ListedPipeline = Type.Object({
  ...PipelineSummary.properties,
  named_at: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The directives that name the secret, such as secrets.NPM_TOKEN; only with the filter `secret`.',
    }),
  ),
})
export type ListedPipeline = Static<typeof ListedPipeline>

export const Pipeline = Type.Object({
  ...PipelineSummary.properties,
  version_id: Uuid,
  document: Type.String({ description: 'YAML, as it was saved.' }),
  profile: Nullable(Type.String({ description: 'As the document names it; null: the default, any host runner.' })),
  saved_by: Type.String(),
  warnings: Type.Optional(Type.Array(DocumentProblem, { description: 'Only in the answer to a save.' })),
})
export type Pipeline = Static<typeof Pipeline>

export const PipelineVersion = Type.Object({
  id: Uuid,
  pipeline_id: Uuid,
  version: Type.Integer({ minimum: 1 }),
  saved_by: Type.String(),
  saved_at: Time,
})
export type PipelineVersion = Static<typeof PipelineVersion>

export const PipelineVersionDetail = Type.Object({ ...PipelineVersion.properties, document: Type.String() })
export type PipelineVersionDetail = Static<typeof PipelineVersionDetail>

/** Fields that only the service sets; a pipeline that was read can be written back. */
const readOnly = {
  id: ReadOnly,
  name: ReadOnly,
  identifier: ReadOnly,
  version: ReadOnly,
  version_id: ReadOnly,
  profile: ReadOnly,
  saved_by: ReadOnly,
  warnings: ReadOnly,
  created_at: ReadOnly,
  updated_at: ReadOnly,
}

const Document = Type.String({ description: 'YAML text; its shape is at /v1/schemas/pipeline.json.' })

/** Or the YAML itself as application/yaml, with ?team_path=. */
export const PipelineInput = Type.Object({ team_path: TeamPath, document: Document, ...readOnly }, STRICT)
export type PipelineInput = Static<typeof PipelineInput>

/** Or the YAML itself as application/yaml. */
export const PipelineReplacement = Type.Object(
  { team_path: Type.Optional(TeamPath), document: Document, ...readOnly },
  STRICT,
)
export type PipelineReplacement = Static<typeof PipelineReplacement>

/** Or the YAML itself as application/yaml, with ?team_path=. */
export const PipelineValidation = Type.Object({ document: Document, team_path: Type.Optional(TeamPath) }, STRICT)
export type PipelineValidation = Static<typeof PipelineValidation>

export const PipelineValidationResult = Type.Object({
  valid: Type.Boolean(),
  errors: Type.Array(DocumentProblem),
  warnings: Type.Array(DocumentProblem),
})
export type PipelineValidationResult = Static<typeof PipelineValidationResult>

/** The team of a document that is sent as application/yaml. */
export const DocumentQuery = Type.Object({ team_path: Type.Optional(TeamPath) }, STRICT)
export type DocumentQuery = Static<typeof DocumentQuery>

export const PipelineQuery = Type.Object(
  {
    ...pageQuery,
    team_path: Type.Optional(TeamPath),
    secret: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*){0,7}/[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$',
        maxLength: 700,
        description: 'Only pipelines whose current version names this secret: <team path>/<name>.',
      }),
    ),
  },
  STRICT,
)
export type PipelineQuery = Static<typeof PipelineQuery>

export const PipelineVersionQuery = Type.Object(pageQuery, STRICT)
export type PipelineVersionQuery = Static<typeof PipelineVersionQuery>

export const PipelineSchema = Type.Unknown({ description: 'JSON Schema of a pipeline document (draft 2020-12).' })
