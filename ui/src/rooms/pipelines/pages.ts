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

export const teamPages = [pipelinesPage] as const
export const pages = [pipelinePage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Pipelines', path: 'pipelines', group: 'work', permission: 'pipeline.read', key: 'p' },
]
