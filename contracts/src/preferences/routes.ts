import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const COMMON = {
  tag: 'preferences',
  path: '/v1/preferences',
  class: 'authenticated',
  limitedTokens: 'no',
} as const

export const preferenceRoutes = routesOf<typeof shapes>()({
  getPreferences: {
    ...COMMON,
    method: 'GET',
    summary: 'How the calling user likes the page; defaults where nothing was saved',
    answers: { 200: 'Preferences' },
  },
  replacePreferences: {
    ...COMMON,
    method: 'PUT',
    summary: 'Replace the preferences of the calling user',
    body: 'PreferencesInput',
    answers: { 200: 'Preferences' },
  },
})
