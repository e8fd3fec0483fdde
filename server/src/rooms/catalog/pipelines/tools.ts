import { STRICT, TeamPath } from '@signalbox/contracts/http'
import { PipelineParams, PipelineQuery } from '@signalbox/contracts/pipelines'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { Type } from 'typebox'
import { defineTool, linesOf, type Tool, type Words } from '#platform/tools'

const { listPipelines, getPipeline, getPipelineVersion, validatePipeline } = pipelineRoutes
const { team_path: ofTeam, secret, cursor } = PipelineQuery.properties

/** In characters. */
const MOST_DOCUMENT = 500_000

const listTool = defineTool({
  name: 'list_pipelines',
  title: 'List pipelines',
  family: 'pipelines',
  does: 'read',
  description:
    'Pipelines that you may see, newest first; with secret, those that use it. find knows one by a part of its name.',
  input: Type.Object(
    { team_path: ofTeam, secret, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })), cursor },
    STRICT,
  ),
  routes: { listPipelines },
  async handle({ input, routes }) {
    const { body, nextCursor } = await routes.listPipelines({ query: { limit: 10, ...input } })
    const pipelines = body.map(({ id, identifier, version, updated_at, named_at }) => {
      return { id, identifier, version, updated_at, named_at }
    })
    const more = { tool: 'list_pipelines', arguments: { ...input, cursor: nextCursor }, brings: 'older pipelines' }
    return { facts: { pipelines }, next: nextCursor === undefined ? [] : [more] }
  },
})

const getTool = defineTool({
  name: 'get_pipeline',
  title: 'Show a pipeline',
  family: 'pipelines',
  does: 'read',
  description:
    'A pipeline: its current version, or the one that you name. With document: true also its YAML, by lines.',
  input: Type.Object(
    {
      pipeline: Type.String({
        ...PipelineParams.properties.id,
        description: 'Id, or identifier such as acme/web/build.',
      }),
      version: Type.Optional(Type.Integer({ minimum: 1 })),
      document: Type.Optional(Type.Boolean()),
    },
    STRICT,
  ),
  routes: { getPipeline, getPipelineVersion },
  async handle({ input, routes }) {
    const { pipeline: id, version } = input
    const { body } = await routes.getPipeline({ params: { id } })
    const { document, warnings: _, version: current, ...pipeline } = body
    const shown = version === undefined ? undefined : await routes.getPipelineVersion({ params: { id, version } })
    const facts = {
      pipeline: { ...pipeline, current_version: current },
      version: shown && { version, id: shown.body.id, saved_by: shown.body.saved_by, saved_at: shown.body.saved_at },
    }
    if (input.document === true) {
      return { facts, quotes: [quoteDocument(shown?.body.document ?? document, version ?? current)] }
    }
    const more = { tool: 'get_pipeline', arguments: { ...input, document: true }, brings: 'the document' }
    return { facts, next: [more] }
  },
})

function quoteDocument(document: Words, version: number) {
  const lines = linesOf(document).map((text, index) => ({ label: String(index + 1), text }))
  return { source: `document of version ${version}`, lines }
}

const validateTool = defineTool({
  name: 'validate_pipeline',
  title: 'Validate a document',
  family: 'pipelines',
  does: 'read',
  description:
    'Everything that is wrong with a pipeline document, with line and column; saves nothing. Correct it until valid is true, then call plan_pipeline.',
  input: Type.Object(
    {
      document: Type.String({ maxLength: MOST_DOCUMENT, description: 'YAML.' }),
      team_path: Type.Optional(
        Type.String({ ...TeamPath, description: 'Also what the team has: secrets, scopes, profiles.' }),
      ),
    },
    STRICT,
  ),
  routes: { validatePipeline },
  async handle({ input, routes }) {
    const { body } = await routes.validatePipeline({ body: input, query: {} })
    return { facts: body }
  },
})

export const pipelineTools: readonly Tool[] = [listTool, getTool, validateTool]
