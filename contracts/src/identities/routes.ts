import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const SIGN_IN = { tag: 'sessions', params: 'SignInParams' } as const
const OF_USER = { tag: 'users', path: '/v1/users/:id/identities', params: 'UserIdentitiesParams' } as const

export const signInRoutes = routesOf<typeof shapes>()({
  startSignIn: {
    ...SIGN_IN,
    method: 'GET',
    path: '/v1/sign-in/:provider',
    summary: 'Send the browser to a provider of OpenID Connect to sign in',
    class: 'public',
    query: 'SignInQuery',
    answers: { 302: 'empty' },
  },
  completeSignIn: {
    ...SIGN_IN,
    method: 'GET',
    path: '/v1/sign-in/:provider/callback',
    summary: 'Where a provider sends the browser back to: sets the cookie of a new session, and goes on to the page',
    class: 'public',
    query: 'SignInCallbackQuery',
    answers: { 302: 'empty' },
  },
  linkIdentity: {
    ...SIGN_IN,
    method: 'POST',
    path: '/v1/sign-in/:provider/link',
    summary: 'Begin to link an account at a provider to your user; only from a session of the page',
    class: 'authenticated',
    limitedTokens: 'no',
    body: 'LinkIdentity',
    answers: { 200: 'IdentityLink' },
  },
  listIdentities: {
    ...OF_USER,
    method: 'GET',
    summary: 'List the accounts at providers by which a user signs in: your own, with user.write those of anybody',
    class: 'authenticated',
    limitedTokens: 'no',
    answers: { 200: ['UserIdentity'] },
  },
  createIdentity: {
    ...OF_USER,
    method: 'POST',
    summary: 'Link an account at a provider to a user, by its subject',
    permission: 'user.write',
    body: 'CreateUserIdentity',
    answers: { 201: 'UserIdentity' },
  },
  deleteIdentity: {
    ...OF_USER,
    method: 'DELETE',
    path: '/v1/users/:id/identities/:identity_id',
    params: 'UserIdentityParams',
    summary: 'Unlink an account; ends the sessions of its user, but for that of the request',
    class: 'authenticated',
    limitedTokens: 'no',
    answers: { 204: 'empty' },
  },
})
