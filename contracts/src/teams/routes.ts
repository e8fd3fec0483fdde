import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const TEAMS = { tag: 'teams', path: '/v1/teams' } as const
const TEAM = { tag: 'teams', path: '/v1/teams/:id', params: 'TeamParams' } as const
const ENVIRONMENTS = { ...TEAM, path: '/v1/teams/:id/environments' } as const
const ENVIRONMENT = { tag: 'teams', path: '/v1/teams/:id/environments/:name', params: 'EnvironmentParams' } as const

export const teamRoutes = routesOf<typeof shapes>()({
  createTeam: {
    ...TEAMS,
    method: 'POST',
    summary: 'Create a team; its parents must exist',
    permission: 'team.write',
    body: 'CreateTeam',
    answers: { 201: 'Team' },
  },
  listTeams: {
    ...TEAMS,
    method: 'GET',
    summary: 'List the teams that the caller may see, newest first',
    permission: 'team.read',
    query: 'TeamQuery',
    answers: { 200: ['Team'] },
  },
  getTeam: {
    ...TEAM,
    method: 'GET',
    summary: 'Show a team, by uuid or URL-encoded path',
    permission: 'team.read',
    answers: { 200: 'Team' },
  },
  updateTeam: {
    ...TEAM,
    method: 'PATCH',
    summary: 'Change the name of a team; a path never changes',
    permission: 'team.write',
    body: 'ChangeTeam',
    answers: { 200: 'Team' },
  },
  deleteTeam: {
    ...TEAM,
    method: 'DELETE',
    summary: 'Delete a team that owns nothing',
    permission: 'team.write',
    answers: { 204: 'empty' },
  },
  createEnvironment: {
    ...ENVIRONMENTS,
    method: 'POST',
    summary: 'Create an environment; protecting one needs grant.write',
    permission: 'environment.write',
    body: 'CreateEnvironment',
    answers: { 201: 'Environment' },
  },
  listEnvironments: {
    ...ENVIRONMENTS,
    method: 'GET',
    summary: 'List the environments of a team, newest first',
    permission: 'environment.read',
    query: 'TeamQuery',
    answers: { 200: ['Environment'] },
  },
  updateEnvironment: {
    ...ENVIRONMENT,
    method: 'PATCH',
    summary: 'Change the protection of an environment; needs grant.write too',
    permission: 'environment.write',
    body: 'ChangeEnvironment',
    answers: { 200: 'Environment' },
  },
  deleteEnvironment: {
    ...ENVIRONMENT,
    method: 'DELETE',
    summary: 'Delete an environment; a protected one needs grant.write too',
    permission: 'environment.write',
    answers: { 204: 'empty' },
  },
})
