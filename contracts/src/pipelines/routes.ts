import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const COMMON = { tag: 'pipelines' } as const
const ONE = { ...COMMON, path: '/v1/pipelines/:id', params: 'PipelineParams' } as const
/** The document may also come as it is, with its team in the query. */
const DOCUMENT = { query: 'DocumentQuery', textBody: ['application/yaml'] } as const

export const pipelineRoutes = routesOf<typeof shapes>()({
  createPipeline: {
    ...COMMON,
    ...DOCUMENT,
    method: 'POST',
    path: '/v1/pipelines',
    summary: 'Create a pipeline',
    permission: 'pipeline.write',
    body: 'PipelineInput',
    answers: { 201: 'Pipeline' },
  },
  listPipelines: {
    ...COMMON,
    method: 'GET',
    path: '/v1/pipelines',
    summary: 'List pipelines, newest first; with secret, those that use it',
    permission: 'pipeline.read',
    query: 'PipelineQuery',
    answers: { 200: ['ListedPipeline'] },
  },
  getPipeline: {
    ...ONE,
    method: 'GET',
    summary: 'Show a pipeline with its document',
    permission: 'pipeline.read',
    answers: { 200: 'Pipeline' },
  },
  replacePipeline: {
    ...ONE,
    ...DOCUMENT,
    method: 'PUT',
    summary: 'Save a new version of a pipeline',
    permission: 'pipeline.write',
    body: 'PipelineReplacement',
    answers: { 200: 'Pipeline' },
  },
  deletePipeline: {
    ...ONE,
    method: 'DELETE',
    summary: 'Delete a pipeline; its runs stay',
    permission: 'pipeline.write',
    answers: { 204: 'empty' },
  },
  listPipelineVersions: {
    ...ONE,
    method: 'GET',
    path: '/v1/pipelines/:id/versions',
    summary: 'List the versions of a pipeline, newest first',
    permission: 'pipeline.read',
    query: 'PipelineVersionQuery',
    answers: { 200: ['PipelineVersion'] },
  },
  getPipelineVersion: {
    ...COMMON,
    method: 'GET',
    path: '/v1/pipelines/:id/versions/:version',
    summary: 'Show one version of a pipeline with its document',
    permission: 'pipeline.read',
    params: 'PipelineVersionParams',
    answers: { 200: 'PipelineVersionDetail' },
  },
  validatePipeline: {
    ...COMMON,
    ...DOCUMENT,
    method: 'POST',
    path: '/v1/pipelines/validate',
    summary: 'Say everything that is wrong with a document, without saving it',
    class: 'authenticated',
    limitedTokens: 'ask',
    body: 'PipelineValidation',
    answers: { 200: 'PipelineValidationResult' },
  },
  getPipelineSchema: {
    ...COMMON,
    method: 'GET',
    path: '/v1/schemas/pipeline.json',
    summary: 'Show the JSON Schema of a pipeline document, for editors',
    class: 'public',
    answers: { 200: 'PipelineSchema' },
  },
})
