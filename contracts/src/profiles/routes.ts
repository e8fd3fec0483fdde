import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const common = { tag: 'profiles' } as const
const one = { ...common, path: '/v1/profiles/:id', params: 'ProfileParams' } as const

export const profileRoutes = routesOf<typeof shapes>()({
  createProfile: {
    ...common,
    method: 'POST',
    path: '/v1/profiles',
    summary: 'Create a profile',
    permission: 'profile.write',
    body: 'ProfileInput',
    answers: { 201: 'Profile' },
  },
  listProfiles: {
    ...common,
    method: 'GET',
    path: '/v1/profiles',
    summary: 'List profiles, newest first',
    permission: 'profile.read',
    query: 'ProfileQuery',
    answers: { 200: ['Profile'] },
  },
  getProfile: {
    ...one,
    method: 'GET',
    summary: 'Show a profile',
    permission: 'profile.read',
    answers: { 200: 'Profile' },
  },
  replaceProfile: {
    ...one,
    method: 'PUT',
    summary: 'Replace the content of a profile',
    permission: 'profile.write',
    body: 'ProfileReplacement',
    answers: { 200: 'Profile' },
  },
  deleteProfile: {
    ...one,
    method: 'DELETE',
    summary: 'Delete a profile that no pipeline names',
    permission: 'profile.write',
    answers: { 204: 'empty' },
  },
})
