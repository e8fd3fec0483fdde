import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

export const liveRoutes = routesOf<typeof shapes>()({
  followChanges: {
    tag: 'live',
    method: 'GET',
    path: '/v1/live',
    summary:
      'Follow what changes, by topic: thin events that name what to read again; Last-Event-ID goes on behind one. ' +
      'ready comes first; reset: read everything again; away: the database is away, reset follows when it is back',
    class: 'authenticated',
    limitedTokens: 'ask',
    query: 'LiveQuery',
    answers: { 200: 'stream' },
  },
})
