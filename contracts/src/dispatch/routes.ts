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
    limitedTokens: 'ask',
    summary: 'Who could take this? The verdict of each runner about something that needs a runner',
    permission: 'runner.read',
    body: 'RunnerNeed',
    answers: { 200: 'RunnerVerdicts' },
  },
  explainRun: {
    tag: 'dispatch',
    method: 'GET',
    path: '/v1/explain/run',
    summary: 'Why a run waits, what it does, or what became of it; and what to do',
    permission: 'run.read',
    query: 'RunExplanationQuery',
    answers: { 200: 'RunExplanation' },
  },
})
