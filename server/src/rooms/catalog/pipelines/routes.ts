import {
  DocumentQuery,
  Pipeline,
  PipelineInput,
  PipelineParams,
  PipelineQuery,
  PipelineReplacement,
  PipelineSummary,
  PipelineValidation,
  PipelineValidationResult,
  PipelineVersion,
  PipelineVersionDetail,
  PipelineVersionParams,
  PipelineVersionQuery,
} from '@signalbox/contracts/pipelines'
import { pipelineJsonSchema } from '@signalbox/pipeline/document'
import { Type } from 'typebox'
import { answer, defineRoute, etagOf, linkNext, originOf, type Route } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { toWireTime } from '#platform/time'
import { deletePipeline } from './actions/delete-pipeline.ts'
import { getVisibleCurrent } from './actions/find-pipeline.ts'
import { listPipelines } from './actions/list-pipelines.ts'
import { getVersion, listVersions } from './actions/list-versions.ts'
import { createPipeline, replacePipeline, type SavedPipeline, type SaveNeeds } from './actions/save-pipeline.ts'
import { validateDocument } from './actions/validate-document.ts'
import type { CurrentPipeline, PipelineRow, VersionRow } from './store/index.ts'

const common = { tag: 'pipelines', class: 'authorized' } as const
const textBody = ['application/yaml']

/** `changed` is called after each committed write, so that this process sees its own writes at once. */
export function pipelineRoutes(kit: Kit, needs: SaveNeeds, changed: () => void): Route[] {
  return [...saving(kit, needs, changed), ...reading(kit), ...documents(kit, needs)]
}

function saving(kit: Kit, needs: SaveNeeds, changed: () => void): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/pipelines',
      summary: 'Create a pipeline',
      permission: 'pipeline.write',
      schema: { query: DocumentQuery, body: PipelineInput },
      textBody,
      responses: { 201: Pipeline },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const { document, teamPath } = readDocument(request)
        if (teamPath === undefined) throw missingTeam()
        const saved = await createPipeline(kit, needs, originOf(request), { document, teamPath })
        changed()
        const headers = { location: `/v1/pipelines/${saved.pipeline.id}`, etag: etagOf(saved.pipeline.version) }
        return answer(201, presentSaved(saved), headers)
      },
    }),
    defineRoute({
      ...common,
      method: 'PUT',
      path: '/v1/pipelines/:id',
      summary: 'Save a new version of a pipeline',
      permission: 'pipeline.write',
      schema: { params: PipelineParams, query: DocumentQuery, body: PipelineReplacement },
      textBody,
      responses: { 200: Pipeline },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const saved = await replacePipeline(kit, needs, originOf(request), {
          ...readDocument(request),
          idOrIdentifier: request.params.id,
          ifMatch: request.headers['if-match'],
        })
        changed()
        return answer(200, presentSaved(saved), { etag: etagOf(saved.pipeline.version) })
      },
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: '/v1/pipelines/:id',
      summary: 'Delete a pipeline; its runs stay',
      permission: 'pipeline.write',
      schema: { params: PipelineParams },
      responses: { 204: 'empty' },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const input = { idOrIdentifier: request.params.id, ifMatch: request.headers['if-match'] }
        await deletePipeline(kit, needs, originOf(request), input)
        changed()
        return answer(204)
      },
    }),
  ]
}

function reading(kit: Kit): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/pipelines',
      summary: 'List pipelines, newest first',
      permission: 'pipeline.read',
      schema: { query: PipelineQuery },
      responses: { 200: Type.Array(PipelineSummary) },
      handle: async (request) => {
        const page = await listPipelines(kit, request.caller, request.query)
        return answer(200, page.items.map(presentSummary), linkNext(request.url, page))
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/pipelines/:id',
      summary: 'Show a pipeline with its document',
      permission: 'pipeline.read',
      schema: { params: PipelineParams },
      responses: { 200: Pipeline },
      handle: async (request) => {
        const row = await getVisibleCurrent(kit.database.kysely, request.caller, request.params.id)
        return answer(200, present(row), { etag: etagOf(row.version) })
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/pipelines/:id/versions',
      summary: 'List the versions of a pipeline, newest first',
      permission: 'pipeline.read',
      schema: { params: PipelineParams, query: PipelineVersionQuery },
      responses: { 200: Type.Array(PipelineVersion) },
      handle: async (request) => {
        const page = await listVersions(kit, request.caller, request.params.id, request.query)
        return answer(200, page.items.map(presentVersion), linkNext(request.url, page))
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/pipelines/:id/versions/:version',
      summary: 'Show one version of a pipeline with its document',
      permission: 'pipeline.read',
      schema: { params: PipelineVersionParams },
      responses: { 200: PipelineVersionDetail },
      handle: async (request) => {
        const row = await getVersion(kit, request.caller, request.params.id, request.params.version)
        return answer(200, { ...presentVersion(row), document: row.document })
      },
    }),
  ]
}

function documents(kit: Kit, needs: SaveNeeds): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/pipelines/validate',
      summary: 'Say everything that is wrong with a document, without saving it',
      tag: 'pipelines',
      class: 'authenticated',
      schema: { query: DocumentQuery, body: PipelineValidation },
      textBody,
      responses: { 200: PipelineValidationResult },
      problems: [{ status: 403 }],
      handle: async (request) => answer(200, await validateDocument(kit, needs, request.caller, readDocument(request))),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/schemas/pipeline.json',
      summary: 'JSON Schema of a pipeline document, for editors',
      tag: 'pipelines',
      class: 'public',
      responses: { 200: Type.Unknown() },
      handle: async () =>
        answer(200, pipelineJsonSchema(), {
          'cache-control': 'public, max-age=3600',
          'access-control-allow-origin': '*',
        }),
    }),
  ]
}

interface DocumentRequest {
  readonly query: DocumentQuery
  /** A text when it came as application/yaml. */
  readonly body: PipelineReplacement | string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** The document and its team from either form of the body. */
function readDocument(request: DocumentRequest): { document: string; teamPath: string | undefined } {
  const { body, query } = request
  if (typeof body !== 'string') {
    const teamPath = body.team_path ?? query.team_path
    if (query.team_path !== undefined && query.team_path !== teamPath) {
      const message = 'differs from the team_path of the body: send one of them'
      throw platformProblem('invalid_request', `team_path ${message}.`, { errors: [{ field: 'team_path', message }] })
    }
    return { document: body.document, teamPath }
  }
  if (/^application\/yaml\b/i.test(String(request.headers['content-type']))) {
    return { document: body, teamPath: query.team_path }
  }
  throw platformProblem(
    'invalid_request',
    'body must be an object with a document, or YAML sent as application/yaml.',
    {
      errors: [{ field: 'body', message: 'must be object' }],
    },
  )
}

function missingTeam(): Error {
  return platformProblem('invalid_request', 'Say whose pipeline it is: add ?team_path= to the address.', {
    errors: [{ field: 'team_path', message: 'is required' }],
  })
}

function presentSummary(row: PipelineRow): PipelineSummary {
  return {
    id: row.id,
    team_path: row.teamPath,
    name: row.name,
    identifier: row.identifier,
    version: row.version,
    created_at: toWireTime(row.createdAt),
    updated_at: toWireTime(row.updatedAt),
  }
}

function present(row: CurrentPipeline): Pipeline {
  return {
    ...presentSummary(row),
    version_id: row.current.id,
    document: row.current.document,
    profile: row.current.profile,
    saved_by: row.current.savedBy,
  }
}

function presentSaved(saved: SavedPipeline): Pipeline {
  return { ...present(saved.pipeline), warnings: [...saved.warnings] }
}

function presentVersion(row: VersionRow): PipelineVersion {
  return {
    id: row.id,
    pipeline_id: row.pipelineId,
    version: row.version,
    saved_by: row.savedBy,
    saved_at: toWireTime(row.savedAt),
  }
}
