import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

export const aboutRoutes = routesOf<typeof shapes>()({
  getAbout: {
    tag: 'about',
    method: 'GET',
    path: '/v1/about',
    summary: 'Which version this is; for administrators also what it stands on',
    class: 'authenticated',
    limitedTokens: 'ask',
    answers: { 200: 'About' },
  },
  listSettings: {
    tag: 'about',
    method: 'GET',
    path: '/v1/system/settings',
    summary: 'The configuration in force in the process that answers: each option, without secrets',
    permission: 'system.read',
    answers: { 200: ['SystemSetting'] },
  },
})
