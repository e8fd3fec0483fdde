import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const COMMON = { tag: 'profiles' } as const
const ONE = { ...COMMON, path: '/v1/profiles/:id', params: 'ProfileParams' } as const

export const profileRoutes = routesOf<typeof shapes>()({
  createProfile: {
    ...COMMON,
    method: 'POST',
    path: '/v1/profiles',
    summary: 'Create a profile',
    permission: 'profile.write',
    body: 'ProfileInput',
    answers: { 201: 'Profile' },
  },
  listProfiles: {
    ...COMMON,
    method: 'GET',
    path: '/v1/profiles',
    summary: 'List profiles, newest first',
    permission: 'profile.read',
    query: 'ProfileQuery',
    answers: { 200: ['Profile'] },
  },
  getProfile: {
    ...ONE,
    method: 'GET',
    summary: 'Show a profile',
    permission: 'profile.read',
    answers: { 200: 'Profile' },
  },
  replaceProfile: {
    ...ONE,
    method: 'PUT',
    summary: 'Replace the content of a profile',
    permission: 'profile.write',
    body: 'ProfileReplacement',
    answers: { 200: 'Profile' },
  },
  deleteProfile: {
    ...ONE,
    method: 'DELETE',
    summary: 'Delete a profile that no pipeline names',
    permission: 'profile.write',
    answers: { 204: 'empty' },
  },
})
