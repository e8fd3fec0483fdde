import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ListedPage } from './pages.ts'
import type { Scenery } from './scenery.ts'

/** The tabs and the ways to look at a page of pages.ts that its own address does not show. */
export const LOOKS: readonly ListedPage[] = [
  ...['why', 'attempts', 'values', 'policies', 'told'].map((tab) =>
    ofRun(tab, ({ runs }) => `/runs/${runs.failed}?tab=${tab}`),
  ),
  // Of the runs that have something there.
  ...['results', 'artifacts'].map((tab) => ofRun(tab, (scenery) => `/runs/${leavingRun(scenery)}?tab=${tab}`)),
  ofRun('approvals', (scenery) => `/runs/${heldRun(scenery)}?tab=approvals`),
  ...['timeline', 'table'].map((view) => ofRun(view, ({ runs }) => `/runs/${runs.failed}?view=${view}`)),
  ...['document', 'causes'].map((tab) => ({
    room: 'pipelines',
    path: `pipelines/$id ${tab}`,
    address: ({ world }: Scenery) => `/pipelines/${encodeURIComponent(world.pipeline)}?tab=${tab}`,
    heading: /./,
  })),
  {
    room: 'pipelines',
    path: 'pipelines/$id versions',
    address: ({ world }) => `/pipelines/${encodeURIComponent(changedPipeline(world))}?tab=versions&version=1`,
    heading: /./,
  },
  ...['document', 'backfills'].map((tab) => ({
    room: 'schedules',
    path: `schedules/$id ${tab}`,
    address: ({ world }: Scenery) => `/schedules/${world.ids.get('/v1/schedules')?.[0] ?? ''}?tab=${tab}`,
    heading: /./,
  })),
  {
    room: 'approvals',
    path: 'approvals decided',
    address: () => '/t/acme/approvals?state=decided',
    heading: 'Approvals',
  },
  ...['own', 'all'].map((show) => ({
    room: 'plans',
    path: `plans ${show}`,
    address: () => `/plans?show=${show}`,
    heading: 'Plans',
  })),
]

function ofRun(look: string, address: (scenery: Scenery) => string): ListedPage {
  return { room: 'runs', path: `runs/$id ${look}`, address, heading: /./ }
}

function leavingRun({ world, runs }: Scenery): string {
  return world.ids.get('/v1/runs/{id}/final-outputs/{name} id')?.[0] ?? runs.succeeded
}

function heldRun({ world, runs }: Scenery): string {
  return world.ids.get('/v1/runs/{id}/approvals/{step} id')?.[0] ?? runs.warned
}

/** It has two versions. */
function changedPipeline({ ids, pipeline }: Scenery['world']): string {
  return ids.get('/v1/pipelines')?.[1] ?? pipeline
}

/** Where each room states its tabs and views; the first of them is what pages.ts opens. */
const STATED = {
  'runs/$id': 'runs/run-address.ts',
  'pipelines/$id': 'pipelines/pipeline-address.ts',
  'schedules/$id': 'schedules/schedule-address.ts',
  approvals: 'approvals/approvals-address.ts',
  plans: 'plans/plans-address.ts',
}

/** What the rooms state besides what pages.ts opens, as `path look`. */
export function statedLooks(): string[] {
  return Object.entries(STATED).flatMap(([path, file]) => {
    const text = readFileSync(resolve(import.meta.dirname, '../../ui/src/rooms', file), 'utf8')
    const lists = [...text.matchAll(/export const (?:TABS|VIEWS) = ([[{][^\]}]*)/g)].map(([, list = '']) => list)
    const names = lists.map((list) => [...list.matchAll(list.startsWith('[') ? /'(\w+)'/g : /(\w+):/g)])
    return names.flatMap(([, ...further]) => further.map(([, name]) => `${path} ${name}`))
  })
}
