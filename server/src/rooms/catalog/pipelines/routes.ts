import * as shapes from '@signalbox/contracts/pipelines'
import { pipelineRoutes as stated } from '@signalbox/contracts/pipelines/routes'
import { pipelineJsonSchema } from '@signalbox/pipeline/document'
import { answer, etagOf, linkNext, originOf, type Route, serve, toWire } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { deletePipeline } from './actions/delete-pipeline.ts'
import { getVisibleCurrent, type ListedPipeline, listPipelines } from './actions/find-pipeline.ts'
import { getVersion, listVersions } from './actions/list-versions.ts'
import { createPipeline, replacePipeline, type SavedPipeline } from './actions/save-pipeline.ts'
import { validateDocument } from './actions/validate-document.ts'
import type { Means } from './means.ts'
import type { CurrentPipeline } from './store/index.ts'

export function pipelineRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async createPipeline(request) {
      const { document, teamPath } = readDocument(request)
      if (teamPath === undefined) throw missingTeam()
      const saved = await createPipeline(means, originOf(request), { document, teamPath })
      const headers = { location: `/v1/pipelines/${saved.pipeline.id}`, etag: etagOf(saved.pipeline.version) }
      return answer(201, presentSaved(saved), headers)
    },
    async listPipelines(request) {
      const page = await listPipelines(means, request.caller, request.query)
      return answer(200, page.items.map(presentSummary), linkNext(request.url, page))
    },
    async getPipeline(request) {
      const row = await getVisibleCurrent(means, request.caller, request.params.id)
      return answer(200, present(row), { etag: etagOf(row.version) })
    },
    async replacePipeline(request) {
      const change = { ...readDocument(request), idOrIdentifier: request.params.id }
      const saved = await replacePipeline(means, originOf(request), change)
      return answer(200, presentSaved(saved), { etag: etagOf(saved.pipeline.version) })
    },
    async deletePipeline(request) {
      await deletePipeline(means, originOf(request), request.params.id)
      return answer(204)
    },
    async listPipelineVersions(request) {
      const page = await listVersions(means, request.caller, { ...request.query, pipeline: request.params.id })
      return answer(200, page.items.map(toWire), linkNext(request.url, page))
    },
    async getPipelineVersion(request) {
      const { id: pipeline, version } = request.params
      const row = await getVersion(means, request.caller, { pipeline, version })
      return answer(200, toWire(row))
    },
    async validatePipeline(request) {
      return answer(200, await validateDocument(means, request.caller, readDocument(request)))
    },
    async getPipelineSchema() {
      const headers = { 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' }
      return answer(200, pipelineJsonSchema(), headers)
    },
  })
}

interface DocumentRequest {
  readonly query: shapes.DocumentQuery
  /** A text if it came as application/yaml. */
  readonly body: shapes.PipelineReplacement | string
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
  const detail = 'body must be an object with a document, or YAML sent as application/yaml.'
  throw platformProblem('invalid_request', detail, { errors: [{ field: 'body', message: 'must be object' }] })
}

function missingTeam(): Error {
  return platformProblem('invalid_request', 'team_path is required: add ?team_path= to the address.', {
    errors: [{ field: 'team_path', message: 'is required' }],
  })
}

function presentSummary({ profileId: _, namedAt, ...row }: ListedPipeline): shapes.ListedPipeline {
  return { ...toWire(row), ...(namedAt && { named_at: [...namedAt] }) }
}

function present({ profileId: _, ...row }: CurrentPipeline): shapes.Pipeline {
  return toWire(row)
}

function presentSaved(saved: SavedPipeline): shapes.Pipeline {
  return { ...present(saved.pipeline), warnings: [...saved.warnings] }
}
