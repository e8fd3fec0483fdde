import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const COMMON = { tag: 'health', method: 'GET', class: 'public' } as const

export const healthRoutes = routesOf<typeof shapes>()({
  getLiveness: {
    ...COMMON,
    path: '/livez',
    summary: 'Whether the process lives; answers also while the database is unreachable',
    answers: { 200: 'Liveness' },
  },
  getReadiness: {
    ...COMMON,
    path: '/healthz',
    summary: 'Whether the service can do its work',
    answers: { 200: 'Readiness', 503: 'Readiness' },
  },
})

export const metricsRoutes = routesOf<typeof shapes>()({
  getMetrics: {
    ...COMMON,
    path: '/metrics',
    summary: 'Metrics in the Prometheus text exposition',
    answers: { 200: 'text' },
  },
})
