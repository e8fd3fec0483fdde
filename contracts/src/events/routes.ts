import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

export const eventRoutes = routesOf<typeof shapes>()({
  postGitEvent: {
    tag: 'git',
    method: 'POST',
    path: '/v1/git/events',
    summary: 'Receive a normalised Git event (body: GitEvent); starts the runs of matching triggers',
    class: 'authenticated',
    rawBody: true,
    answers: { 200: 'GitEventAnswer' },
  },
})
