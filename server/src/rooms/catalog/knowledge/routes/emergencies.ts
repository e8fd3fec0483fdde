import {
  Emergency,
  EmergencyInput,
  EmergencyLift,
  EmergencyParams,
  EmergencyQuery,
} from '@signalbox/contracts/knowledge'
import { Type } from 'typebox'
import { answer, defineRoute, linkNext, originOf, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { declareEmergency } from '../actions/declare-emergency.ts'
import { getVisibleEmergency, listEmergencies, presentEmergency } from '../actions/find-emergency.ts'
import { liftEmergency } from '../actions/lift-emergency.ts'
import type { KnowledgeMeans } from '../index.ts'

const common = { tag: 'emergencies', class: 'authorized' } as const

export function emergencyRoutes(kit: Kit, means: KnowledgeMeans): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/emergencies',
      summary: 'Declare an emergency: runs in its scopes are canceled, new ones wait until it is lifted',
      permission: 'emergency.declare',
      schema: { body: EmergencyInput },
      responses: { 201: Emergency },
      handle: async (request) => {
        const { scope, reason } = request.body
        const emergency = await declareEmergency(kit, means, originOf(request), { scope, reason })
        return answer(201, presentEmergency(emergency), { location: `/v1/emergencies/${emergency.id}` })
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/emergencies',
      summary: 'List emergencies, newest first',
      permission: 'knowledge.read',
      schema: { query: EmergencyQuery },
      responses: { 200: Type.Array(Emergency) },
      handle: async (request) => {
        const page = await listEmergencies(kit, request.caller, request.query)
        return answer(200, page.items.map(presentEmergency), linkNext(request.url, page))
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/emergencies/:id',
      summary: 'Show an emergency',
      permission: 'knowledge.read',
      schema: { params: EmergencyParams },
      responses: { 200: Emergency },
      handle: async ({ caller, params }) =>
        answer(200, presentEmergency(await getVisibleEmergency(kit.database.kysely, caller, params.id))),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/emergencies/:id/lift',
      summary: 'Lift an emergency; what waits may begin, what was canceled stays so',
      permission: 'emergency.declare',
      schema: { params: EmergencyParams, body: EmergencyLift },
      responses: { 200: Emergency },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const input = { id: request.params.id, reason: request.body?.reason ?? null }
        return answer(200, presentEmergency(await liftEmergency(kit, means, originOf(request), input)))
      },
    }),
  ]
}
