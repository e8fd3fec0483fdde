import * as shapes from '@signalbox/contracts/knowledge'
import { knowledgeRoutes as stated } from '@signalbox/contracts/knowledge/routes'
import { answer, etagOf, linkNext, originOf, type Route, serve } from '#platform/http'
import { declareEmergency } from './actions/declare-emergency.ts'
import { deleteItem } from './actions/delete-item.ts'
import { getVisibleEmergency, listEmergencies, presentEmergency } from './actions/find-emergency.ts'
import { getVisibleItem, listItems, presentItem, presentSummary } from './actions/find-item.ts'
import { getVisibleRevision, listRevisions, presentRevision, presentRevisionSummary } from './actions/find-revision.ts'
import { liftEmergency } from './actions/lift-emergency.ts'
import { readContent, readItem } from './actions/read-input.ts'
import { createItem, replaceItem } from './actions/save-item.ts'
import { testItem } from './actions/test-item.ts'
import { validateItem } from './actions/validate-item.ts'
import type { Means } from './means.ts'

export function knowledgeRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async createKnowledgeItem(request) {
      const item = await createItem(means, originOf(request), readItem(request.body))
      return answer(201, presentItem(item), { location: `/v1/knowledge/${item.id}`, etag: etagOf(item.revision) })
    },
    async listKnowledgeItems(request) {
      const page = await listItems(means, request.caller, request.query)
      return answer(200, page.items.map(presentSummary), linkNext(request.url, page))
    },
    async getKnowledgeItem(request) {
      const item = await getVisibleItem(means, request.caller, request.params.id)
      return answer(200, presentItem(item), { etag: etagOf(item.revision) })
    },
    async replaceKnowledgeItem(request) {
      const { team_path: teamPath, name, kind } = request.body
      const change = { ...readContent(request.body), idOrIdentifier: request.params.id, teamPath, name, kind }
      const item = await replaceItem(means, originOf(request), change)
      return answer(200, presentItem(item), { etag: etagOf(item.revision) })
    },
    async deleteKnowledgeItem(request) {
      await deleteItem(means, originOf(request), request.params.id)
      return answer(204)
    },
    async listKnowledgeRevisions(request) {
      const page = await listRevisions(means, request.caller, { ...request.query, item: request.params.id })
      return answer(200, page.items.map(presentRevisionSummary), linkNext(request.url, page))
    },
    async getKnowledgeRevision(request) {
      return answer(200, presentRevision(await getVisibleRevision(means, request.caller, request.params.id)))
    },
    async validateKnowledgeItem(request) {
      return answer(200, await validateItem(means, request.caller, readItem(request.body)))
    },
    async testKnowledgeItem(request) {
      return answer(200, await testItem(means, request.caller, { ...request.body, item: request.params.id }))
    },
    async declareEmergency(request) {
      const { scope, reason } = request.body
      const emergency = await declareEmergency(means, originOf(request), { scope, reason })
      return answer(201, presentEmergency(emergency), { location: `/v1/emergencies/${emergency.id}` })
    },
    async listEmergencies(request) {
      const page = await listEmergencies(means, request.caller, request.query)
      return answer(200, page.items.map(presentEmergency), linkNext(request.url, page))
    },
    async getEmergency(request) {
      return answer(200, presentEmergency(await getVisibleEmergency(means, request.caller, request.params.id)))
    },
    async liftEmergency(request) {
      const input = { id: request.params.id, reason: request.body?.reason ?? null }
      return answer(200, presentEmergency(await liftEmergency(means, originOf(request), input)))
    },
  })
}
