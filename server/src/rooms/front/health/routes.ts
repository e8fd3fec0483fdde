import * as shapes from '@signalbox/contracts/health'
import { metricsRoutes, healthRoutes as stated } from '@signalbox/contracts/health/routes'
import { answer, type Route, serve } from '#platform/http'
import { checkReadiness } from './actions/check-readiness.ts'
import type { Means } from './means.ts'

export function healthRoutes(means: Means): Route[] {
  return [
    ...serve(stated, shapes, {
      async getLiveness() {
        return answer(200, { status: 'ok' })
      },
      async getReadiness() {
        const readiness = await checkReadiness(means)
        return answer(readiness.status === 'ready' ? 200 : 503, readiness)
      },
    }),
    ...serve(statedMetrics(means), shapes, {
      async getMetrics() {
        const { contentType, text } = await means.metrics.render()
        return answer(200, text, { 'content-type': contentType })
      },
    }),
  ]
}

/** The class of GET /metrics is the option `metrics_require_auth`, decided at the start: no handler can forget it. */
function statedMetrics({ config }: Means) {
  const { getMetrics } = metricsRoutes
  return {
    getMetrics: config.metricsRequireAuth
      ? { ...getMetrics, class: 'authenticated' as const, limitedTokens: 'ask' as const }
      : getMetrics,
  }
}
