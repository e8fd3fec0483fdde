import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const SECRETS = { tag: 'secrets', path: '/v1/secrets' } as const
const SECRET = { tag: 'secrets', path: '/v1/secrets/:id', params: 'SecretParams' } as const

export const secretRoutes = routesOf<typeof shapes>()({
  createSecret: {
    ...SECRETS,
    method: 'POST',
    summary: 'Store a secret; its value is never returned',
    permission: 'secret.write',
    body: 'CreateSecret',
    answers: { 201: 'Secret' },
  },
  listSecrets: {
    ...SECRETS,
    method: 'GET',
    summary: 'List what is known of stored secrets, newest first; never their values',
    permission: 'secret.read',
    query: 'SecretQuery',
    answers: { 200: ['Secret'] },
  },
  getSecret: {
    ...SECRET,
    method: 'GET',
    summary: 'Show what is known of a stored secret; never its value',
    permission: 'secret.read',
    answers: { 200: 'Secret' },
  },
  replaceSecret: {
    ...SECRET,
    method: 'PUT',
    summary: 'Store a new version of a secret',
    permission: 'secret.write',
    body: 'ReplaceSecret',
    answers: { 200: 'Secret' },
  },
  retireSecretVersion: {
    ...SECRET,
    method: 'DELETE',
    path: '/v1/secrets/:id/versions/:version',
    summary: 'Retire the older version: what is signed with it is refused from then on',
    permission: 'secret.write',
    params: 'SecretVersionParams',
    answers: { 204: 'empty' },
  },
  deleteSecret: {
    ...SECRET,
    method: 'DELETE',
    summary: 'Delete a secret with every version; not while a webhook source uses it',
    permission: 'secret.write',
    answers: { 204: 'empty' },
  },
})
