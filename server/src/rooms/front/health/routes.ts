import { Readiness } from '@signalbox/contracts/health'
import { Type } from 'typebox'
import { answer, defineRoute, type Route, type RouteRequest } from '#platform/http'
import type { Kit } from '#platform/room'
import { checkReadiness } from './actions/check-readiness.ts'
import type { HealthNeeds } from './index.ts'

export function healthRoutes(kit: Kit, needs: HealthNeeds): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/livez',
      summary: 'Whether the process lives; answers also while the database is unreachable',
      tag: 'health',
      class: 'public',
      responses: { 200: Type.Object({ status: Type.Literal('ok') }) },
      handle: async () => answer(200, { status: 'ok' }),
    }),
    defineRoute({
      method: 'GET',
      path: '/healthz',
      summary: 'Whether the service can do its work',
      tag: 'health',
      class: 'public',
      responses: { 200: Readiness, 503: Readiness },
      handle: async () => {
        const readiness = await checkReadiness(kit, needs.probes)
        return answer(readiness.status === 'ready' ? 200 : 503, readiness)
      },
    }),
    metricsRoute(kit),
  ]
}

/** One path, two classes: `metrics_require_auth` decides which, so that neither can be forgotten at run time. */
function metricsRoute(kit: Kit): Route {
  const shared = {
    method: 'GET',
    path: '/metrics',
    summary: 'Metrics in the Prometheus text exposition',
    tag: 'health',
    responses: { 200: 'text' },
  } as const
  const render = async (): Promise<ReturnType<typeof answer>> => {
    const { contentType, text } = await kit.metrics.render()
    return answer(200, text, { 'content-type': contentType })
  }
  if (!kit.config.metricsRequireAuth) return defineRoute({ ...shared, class: 'public', handle: render })
  return defineRoute({
    ...shared,
    class: 'authenticated',
    handle: (_request: RouteRequest) => render(),
  })
}
