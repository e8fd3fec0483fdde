import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const triggers = { tag: 'external triggers', path: '/v1/external-triggers' } as const
const trigger = {
  tag: 'external triggers',
  path: '/v1/external-triggers/:id',
  params: 'ExternalTriggerParams',
} as const

export const externalTriggerRoutes = routesOf<typeof shapes>()({
  listExternalTriggers: {
    ...triggers,
    method: 'GET',
    summary: 'List the external triggers that the caller may see, newest first',
    permission: 'external_trigger.read',
    query: 'ExternalTriggerQuery',
    answers: { 200: ['ExternalTrigger'] },
  },
  createExternalTrigger: {
    ...triggers,
    method: 'POST',
    summary: 'Create an external trigger; its secret is shown once',
    permission: 'external_trigger.write',
    body: 'ExternalTriggerDocument',
    answers: { 201: 'ExternalTriggerSecret' },
  },
  getExternalTrigger: {
    ...trigger,
    method: 'GET',
    summary: 'Show an external trigger',
    permission: 'external_trigger.read',
    answers: { 200: 'ExternalTrigger' },
  },
  replaceExternalTrigger: {
    ...trigger,
    method: 'PUT',
    summary: 'Replace an external trigger; the caller becomes its owner, its secret stays',
    permission: 'external_trigger.write',
    body: 'ExternalTriggerDocument',
    answers: { 200: 'ExternalTrigger' },
  },
  updateExternalTrigger: {
    ...trigger,
    method: 'PATCH',
    summary: 'Change some fields of an external trigger; the caller becomes its owner',
    permission: 'external_trigger.write',
    body: 'ExternalTriggerPatch',
    answers: { 200: 'ExternalTrigger' },
  },
  deleteExternalTrigger: {
    ...trigger,
    method: 'DELETE',
    summary: 'Delete an external trigger; its runs go on',
    permission: 'external_trigger.write',
    answers: { 204: 'empty' },
  },
  rotateExternalTrigger: {
    ...trigger,
    method: 'POST',
    path: '/v1/external-triggers/:id/rotate',
    summary: 'Give an external trigger a new secret; the old one ends at once',
    permission: 'external_trigger.write',
    answers: { 200: 'ExternalTriggerSecret' },
  },
  runExternalTrigger: {
    ...trigger,
    method: 'POST',
    path: '/v1/external-triggers/:id/run',
    summary: 'Start its run by hand, on behalf of the caller, as a fire would',
    permission: 'run.start',
    body: 'ExternalFire',
    answers: { 202: 'ExternalFireAnswer' },
  },
  fireExternalTrigger: {
    ...trigger,
    method: 'POST',
    path: '/v1/external-triggers/:id/fire',
    summary: 'Start its run, by its secret as the bearer, or by a token whose owner may start the pipeline',
    class: 'public',
    body: 'ExternalFire',
    answers: { 202: 'ExternalFireAnswer' },
  },
  fireExternalTriggerByUrl: {
    tag: 'external triggers',
    method: 'POST',
    path: '/v1/external-triggers/:id/fire/:secret',
    params: 'ExternalTriggerSecretParams',
    summary: 'Start its run by the address that holds its secret',
    class: 'public',
    body: 'ExternalFire',
    answers: { 202: 'ExternalFireAnswer' },
  },
})
