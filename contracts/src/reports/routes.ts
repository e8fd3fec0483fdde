import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

export const reportRoutes = routesOf<typeof shapes>()({
  listRunReports: {
    tag: 'runs',
    method: 'GET',
    path: '/v1/runs/:id/reports',
    summary: 'What the Git provider was told of a run, and what was given up',
    permission: 'run.read',
    params: 'RunReportsParams',
    answers: { 200: ['RunReport'] },
  },
})
