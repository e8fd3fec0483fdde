import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const TRIGGERS = { tag: 'triggers', path: '/v1/triggers' } as const
const TRIGGER = { tag: 'triggers', path: '/v1/triggers/:id', params: 'TriggerParams' } as const

export const triggerRoutes = routesOf<typeof shapes>()({
  listTriggers: {
    ...TRIGGERS,
    method: 'GET',
    summary: 'List the triggers that the caller may see, newest first',
    permission: 'trigger.read',
    query: 'TriggerQuery',
    answers: { 200: ['Trigger'] },
  },
  getTriggerSchema: {
    ...TRIGGERS,
    method: 'GET',
    path: '/v1/schemas/triggers.json',
    summary: "JSON Schema of a repository's manifest, .signalbox/triggers.yaml, for editors",
    class: 'public',
    answers: { 200: 'TriggerSchema' },
  },
  getTrigger: {
    ...TRIGGER,
    method: 'GET',
    summary: 'Show a trigger',
    permission: 'trigger.read',
    answers: { 200: 'Trigger' },
  },
  createTrigger: {
    ...TRIGGERS,
    method: 'POST',
    summary: 'Create a trigger; its runs start on behalf of the caller',
    permission: 'trigger.write',
    body: 'TriggerDocument',
    answers: { 201: 'Trigger' },
  },
  replaceTrigger: {
    ...TRIGGER,
    method: 'PUT',
    summary: 'Replace a trigger; the caller becomes its owner',
    permission: 'trigger.write',
    body: 'TriggerDocument',
    answers: { 200: 'Trigger' },
  },
  updateTrigger: {
    ...TRIGGER,
    method: 'PATCH',
    summary: 'Change some fields of a trigger; the caller becomes its owner, unless it only disables it',
    permission: 'trigger.write',
    body: 'TriggerPatch',
    answers: { 200: 'Trigger' },
  },
  deleteTrigger: {
    ...TRIGGER,
    method: 'DELETE',
    summary: 'Delete a trigger; its runs go on',
    permission: 'trigger.write',
    answers: { 204: 'empty' },
  },
})

/** Apart from the others: the room that keeps deliveries serves it. */
export const simulationRoutes = routesOf<typeof shapes>()({
  simulateTrigger: {
    ...TRIGGERS,
    method: 'POST',
    path: '/v1/triggers/simulate',
    summary: 'Starts that a trigger would have caused for kept deliveries, without storing it',
    permission: 'trigger.write',
    body: 'TriggerSimulation',
    answers: { 200: 'TriggerSimulationResult' },
  },
})
