import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

export const memberRoutes = routesOf<typeof shapes>()({
  listTeamMembers: {
    tag: 'teams',
    method: 'GET',
    path: '/v1/teams/:id/members',
    summary: 'List everybody who has a right at a team, with the origin of each right; newest subject first',
    permission: 'grant.read',
    params: 'TeamMemberParams',
    query: 'TeamMemberQuery',
    answers: { 200: ['TeamMember'] },
  },
})
