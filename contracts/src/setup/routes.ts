import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

export const setupRoutes = routesOf<typeof shapes>()({
  getPreflight: {
    tag: 'setup',
    method: 'GET',
    path: '/v1/setup/preflight',
    summary: 'Whether the installation is ready, and what is in the way; answers with the database down',
    class: 'public',
    answers: { 200: 'Preflight' },
  },
  createAdministrator: {
    tag: 'setup',
    method: 'POST',
    path: '/v1/setup/administrator',
    summary: 'Make the first administrator, by the bootstrap token',
    permission: 'user.write',
    whileLocked: true,
    body: 'CreateAdministrator',
    answers: { 201: 'NewAdministrator' },
  },
})
