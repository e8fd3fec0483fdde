import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

export const eventRoutes = routesOf<typeof shapes>()({
  postGitEvent: {
    tag: 'git',
    method: 'POST',
    path: '/v1/git/events',
    summary: 'Receive a normalised Git event (body: GitEvent); starts the runs of matching triggers',
    class: 'authenticated',
    limitedTokens: 'no',
    rawBody: true,
    answers: { 200: 'GitEventAnswer' },
  },
})

/** The records of events with their outcomes. The room of sources answers, because it keeps the deliveries. */
export const eventRecordRoutes = routesOf<typeof shapes>()({
  listEvents: {
    tag: 'git',
    method: 'GET',
    path: '/v1/events',
    summary: 'List the events that the caller may see, of deliveries and posted ones, newest first',
    permission: 'event.read',
    query: 'EventQuery',
    answers: { 200: ['EventRecord'] },
  },
  getEvent: {
    tag: 'git',
    method: 'GET',
    path: '/v1/events/:id',
    summary: 'Show an event and why it started what it started',
    permission: 'event.read',
    params: 'EventParams',
    answers: { 200: 'EventDetail' },
  },
})
