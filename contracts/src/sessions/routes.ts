import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const SESSIONS = { tag: 'sessions', path: '/v1/sessions' } as const
const OF_USER = { tag: 'users', path: '/v1/users/:id/sessions', params: 'SessionParams' } as const

export const sessionRoutes = routesOf<typeof shapes>()({
  getSignIn: {
    tag: 'sessions',
    method: 'GET',
    path: '/v1/sign-in',
    summary: 'The ways to sign in to the page, and whether the setup comes first',
    class: 'public',
    answers: { 200: 'SignInWays' },
  },
  signIn: {
    ...SESSIONS,
    method: 'POST',
    summary: 'Sign in with a password: sets the cookie of a new session',
    class: 'public',
    ownPage: true,
    body: 'SignIn',
    answers: { 201: 'Session' },
  },
  listSessions: {
    ...SESSIONS,
    method: 'GET',
    summary: 'List where you are signed in, newest first',
    class: 'authenticated',
    limitedTokens: 'no',
    query: 'SessionListQuery',
    answers: { 200: ['Session'] },
  },
  signOut: {
    ...SESSIONS,
    method: 'DELETE',
    path: '/v1/sessions/current',
    summary: 'Sign out: ends the session of this request',
    class: 'authenticated',
    limitedTokens: 'no',
    answers: { 204: 'empty' },
  },
  revokeSession: {
    ...SESSIONS,
    method: 'DELETE',
    path: '/v1/sessions/:id',
    summary: 'End a session of yours; with user.write that of anybody',
    class: 'authenticated',
    limitedTokens: 'no',
    params: 'SessionParams',
    answers: { 204: 'empty' },
  },
  revokeSessions: {
    ...SESSIONS,
    method: 'DELETE',
    summary: 'End all of your sessions but the one of this request',
    class: 'authenticated',
    limitedTokens: 'no',
    answers: { 204: 'empty' },
  },
  listUserSessions: {
    ...OF_USER,
    method: 'GET',
    summary: 'List where a user is signed in, newest first',
    permission: 'user.write',
    query: 'SessionListQuery',
    answers: { 200: ['Session'] },
  },
  revokeUserSessions: {
    ...OF_USER,
    method: 'DELETE',
    summary: 'End all sessions of a user',
    permission: 'user.write',
    answers: { 204: 'empty' },
  },
})
