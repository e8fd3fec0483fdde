import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const RECOVERIES = {
  tag: 'git',
  path: '/v1/git-webhook-sources/:sourceID/recoveries',
  params: 'RecoverySourceParams',
} as const

export const recoveryRoutes = routesOf<typeof shapes>()({
  listRecoveries: {
    ...RECOVERIES,
    method: 'GET',
    summary: 'List the deliveries of a source that were missed, newest first, with what became of each',
    permission: 'delivery.read',
    query: 'RecoveryQuery',
    answers: { 200: ['Recovery'] },
  },
  lookForMissed: {
    ...RECOVERIES,
    method: 'POST',
    summary: "Look into the provider's log or at its heads at once, and have what is missing sent again or made",
    permission: 'delivery.replay',
    answers: { 202: 'RecoveryStanding' },
  },
  getRecoveryStanding: {
    ...RECOVERIES,
    path: '/v1/git-webhook-sources/:sourceID/recovery',
    method: 'GET',
    summary: 'Show how complete the deliveries of a source are, as far as its provider tells',
    permission: 'delivery.read',
    answers: { 200: 'RecoveryStanding' },
  },
})
