import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const teams = { tag: 'teams', path: '/v1/teams' } as const
const team = { tag: 'teams', path: '/v1/teams/:id', params: 'TeamParams' } as const
const environments = { ...team, path: '/v1/teams/:id/environments' } as const
const environment = { tag: 'teams', path: '/v1/teams/:id/environments/:name', params: 'EnvironmentParams' } as const

export const teamRoutes = routesOf<typeof shapes>()({
  createTeam: {
    ...teams,
    method: 'POST',
    summary: 'Create a team; its parents must exist',
    permission: 'team.write',
    body: 'CreateTeam',
    answers: { 201: 'Team' },
  },
  listTeams: {
    ...teams,
    method: 'GET',
    summary: 'List the teams that the caller may see, newest first',
    permission: 'team.read',
    query: 'TeamQuery',
    answers: { 200: ['Team'] },
  },
  getTeam: {
    ...team,
    method: 'GET',
    summary: 'Show a team, by uuid or URL-encoded path',
    permission: 'team.read',
    answers: { 200: 'Team' },
  },
  updateTeam: {
    ...team,
    method: 'PATCH',
    summary: 'Change the name of a team; a path never changes',
    permission: 'team.write',
    body: 'ChangeTeam',
    answers: { 200: 'Team' },
  },
  deleteTeam: {
    ...team,
    method: 'DELETE',
    summary: 'Delete a team that owns nothing',
    permission: 'team.write',
    answers: { 204: 'empty' },
  },
  createEnvironment: {
    ...environments,
    method: 'POST',
    summary: 'Create an environment; protecting one needs grant.write',
    permission: 'environment.write',
    body: 'CreateEnvironment',
    answers: { 201: 'Environment' },
  },
  listEnvironments: {
    ...environments,
    method: 'GET',
    summary: 'List the environments of a team, newest first',
    permission: 'environment.read',
    query: 'TeamQuery',
    answers: { 200: ['Environment'] },
  },
  updateEnvironment: {
    ...environment,
    method: 'PATCH',
    summary: 'Change the protection of an environment; needs grant.write too',
    permission: 'environment.write',
    body: 'ChangeEnvironment',
    answers: { 200: 'Environment' },
  },
  deleteEnvironment: {
    ...environment,
    method: 'DELETE',
    summary: 'Delete an environment; a protected one needs grant.write too',
    permission: 'environment.write',
    answers: { 204: 'empty' },
  },
})
