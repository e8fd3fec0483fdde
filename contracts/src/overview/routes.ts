import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

export const overviewRoutes = routesOf<typeof shapes>()({
  countTeam: {
    tag: 'teams',
    method: 'GET',
    path: '/v1/teams/:id/counts',
    summary: 'What goes on in a team and the teams below it, in numbers',
    permission: 'team.read',
    params: 'TeamParams',
    query: 'TeamCountsQuery',
    answers: { 200: 'TeamCounts' },
  },
})
