import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { IconGitMerge } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readAhead, readDocumentAhead, readPagesAhead } from '../../client/index.ts'
import { type ActionEntry, type NavigationEntry, shellRoute, teamPathQuery, teamRoute } from '../../shell/index.ts'
import { readGraphAddress } from '../graph/index.ts'
import { readPipelineAddress } from './pipeline-address.ts'

const pipelinesPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'pipelines',
  loader: ({ context, params }) =>
    readPagesAhead(context.queries, pipelineRoutes.listPipelines, { query: teamPathQuery(params.team) }),
  component: lazyRouteComponent(() => import('./pipelines-page.tsx'), 'PipelinesPage'),
})

const pipelinePage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'pipelines/$id',
  validateSearch: readPipelineAddress,
  loader: ({ context, params }) =>
    readAhead(context.queries, pipelineRoutes.getPipeline, { params: { id: params.id } }),
  component: lazyRouteComponent(() => import('./pipeline-page.tsx'), 'PipelinePage'),
})

const newPipelinePage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'pipelines/new',
  validateSearch: readGraphAddress,
  component: lazyRouteComponent(() => import('./editor/new-pipeline-page.tsx'), 'NewPipelinePage'),
})

const editPipelinePage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'pipelines/$id/edit',
  validateSearch: readGraphAddress,
  loader: ({ context, params }) =>
    readDocumentAhead(context.queries, pipelineRoutes.getPipeline, { params: { id: params.id } }),
  component: lazyRouteComponent(() => import('./editor/edit-pipeline-page.tsx'), 'EditPipelinePage'),
})

export const teamPages = [pipelinesPage, newPipelinePage] as const
export const pages = [pipelinePage, editPipelinePage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Pipelines', icon: IconGitMerge, path: 'pipelines', group: 'work', permission: 'pipeline.read', key: 'p' },
]

export const actions: readonly ActionEntry[] = [
  { label: 'Create a pipeline', path: 'pipelines/new', permission: 'pipeline.write' },
  { label: 'Run a pipeline', path: 'pipelines', permission: 'run.start' },
]
