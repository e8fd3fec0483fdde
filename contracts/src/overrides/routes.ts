import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const OVERRIDES = { tag: 'overrides', path: '/v1/overrides' } as const
const OVERRIDE = { tag: 'overrides', path: '/v1/overrides/:repoOwner/:repoName', params: 'RepositoryParams' } as const

export const overrideRoutes = routesOf<typeof shapes>()({
  listOverrides: {
    ...OVERRIDES,
    method: 'GET',
    summary: 'List the overrides that the caller may see, newest first',
    permission: 'override.read',
    query: 'OverrideQuery',
    answers: { 200: ['Override'] },
  },
  getOverride: {
    ...OVERRIDE,
    method: 'GET',
    summary: 'The override of a repository; {} where it has none that the caller may see',
    permission: 'override.read',
    answers: { 200: 'OverrideOrNone' },
  },
  replaceOverride: {
    ...OVERRIDE,
    method: 'PUT',
    summary: 'Make or replace the override of a repository; its runs start on behalf of the caller',
    permission: 'override.write',
    body: 'OverrideDocument',
    answers: { 200: 'Override' },
  },
  deleteOverride: {
    ...OVERRIDE,
    method: 'DELETE',
    summary: 'Delete the override of a repository; its manifest and the triggers decide again',
    permission: 'override.write',
    answers: { 204: 'empty' },
  },
  validateOverride: {
    ...OVERRIDES,
    method: 'POST',
    path: '/v1/overrides/validate',
    summary: 'Say everything that is wrong with an override (body: its document as application/yaml)',
    class: 'authenticated',
    limitedTokens: 'ask',
    rawBody: true,
    answers: { 200: 'OverrideValidation' },
  },
})

/** Apart from the others: the room that matches events serves them. */
export const resolutionRoutes = routesOf<typeof shapes>()({
  resolveRepository: {
    ...OVERRIDE,
    method: 'GET',
    path: '/v1/overrides/:repoOwner/:repoName/resolution',
    summary: 'Starts that an event of the repository would cause now, and the rules that a higher layer outranks',
    permission: 'override.read',
    query: 'ResolutionQuery',
    answers: { 200: 'OverrideResolution' },
  },
  previewOverride: {
    ...OVERRIDES,
    method: 'POST',
    path: '/v1/overrides/preview',
    summary: 'Starts that the last 50 deliveries of a repository would have caused with an override',
    permission: 'override.write',
    body: 'OverridePreviewDocument',
    answers: { 200: 'OverridePreview' },
  },
})
