import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

export const logRoutes = routesOf<typeof shapes>()({
  listLogLines: {
    tag: 'logs',
    method: 'GET',
    path: '/v1/runs/:id/logs',
    summary: 'Lines of the logs of a run; a search that takes long says in Link where it goes on',
    permission: 'log.read',
    params: 'LogParams',
    query: 'LogQuery',
    answers: { 200: ['LogEntry'] },
  },
  followLogs: {
    tag: 'logs',
    method: 'GET',
    path: '/v1/runs/:id/logs/stream',
    summary: 'Follow the logs of a run until it has finished; Last-Event-ID goes on where another stream ended',
    permission: 'log.read',
    params: 'LogParams',
    query: 'LogStreamQuery',
    answers: { 200: 'stream' },
  },
  downloadLogs: {
    tag: 'logs',
    method: 'GET',
    path: '/v1/runs/:id/logs/download',
    summary: 'The logs of a run as text',
    permission: 'log.read',
    params: 'LogParams',
    query: 'LogDownloadQuery',
    answers: { 200: 'text' },
  },
  explainFailure: {
    tag: 'logs',
    method: 'GET',
    path: '/v1/explain/failure',
    summary: 'Why a run failed: what failed by itself, and the lines of its log that tell why',
    permission: 'run.read',
    query: 'FailureQuery',
    answers: { 200: 'FailureExplanation' },
  },
  scrubLogs: {
    tag: 'logs',
    method: 'POST',
    path: '/v1/runs/:id/logs/scrub',
    summary: 'Hide values in the logs of a run: at once for readers, and for good when a job has rewritten them',
    permission: 'log.scrub',
    params: 'LogParams',
    body: 'ScrubRequest',
    answers: { 202: 'ScrubAccepted' },
  },
})
