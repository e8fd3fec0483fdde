import { IconGitMerge } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type NavigationEntry, shellRoute, teamRoute } from '../../shell/index.ts'
import { readPipelineAddress } from './pipeline-address.ts'

const pipelinesPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'pipelines',
  component: lazyRouteComponent(() => import('./pipelines-page.tsx'), 'PipelinesPage'),
})

const pipelinePage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'pipelines/$id',
  validateSearch: readPipelineAddress,
  component: lazyRouteComponent(() => import('./pipeline-page.tsx'), 'PipelinePage'),
})

const newPipelinePage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'pipelines/new',
  component: lazyRouteComponent(() => import('./editor/new-pipeline-page.tsx'), 'NewPipelinePage'),
})

const editPipelinePage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'pipelines/$id/edit',
  component: lazyRouteComponent(() => import('./editor/edit-pipeline-page.tsx'), 'EditPipelinePage'),
})

export const teamPages = [pipelinesPage, newPipelinePage] as const
export const pages = [pipelinePage, editPipelinePage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Pipelines', icon: IconGitMerge, path: 'pipelines', group: 'work', permission: 'pipeline.read', key: 'p' },
]
