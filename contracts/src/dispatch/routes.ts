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
  listLeases: {
    tag: 'dispatch',
    method: 'GET',
    path: '/v1/runners/:id/leases',
    summary: 'The tasks that a runner has in hand',
    permission: 'runner.read',
    params: 'RunnerLeasesParams',
    answers: { 200: 'RunnerLeases' },
  },
  judgeRunners: {
    tag: 'dispatch',
    method: 'POST',
    path: '/v1/runners/verdicts',
    summary: 'Who could take this? The verdict of each runner about something that needs a runner',
    permission: 'runner.read',
    body: 'RunnerNeed',
    answers: { 200: 'RunnerVerdicts' },
  },
})
