import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

export const dispatchRoutes = routesOf<typeof shapes>()({
  getDispatcher: {
    tag: 'dispatch',
    method: 'GET',
    path: '/v1/system/dispatcher',
    summary: 'Runners and what waits for them',
    permission: 'runner.read',
    answers: { 200: 'DispatcherStatus' },
  },
})
