import * as shapes from '@signalbox/contracts/sources'
import { sourceRoutes as stated } from '@signalbox/contracts/sources/routes'
import { answer, etagOf, linkNext, originOf, type Route, serve } from '#platform/http'
import { type CountedSource, getSource, listSources } from '../actions/find-source.ts'
import { readHealth } from '../actions/read-health.ts'
import { changeSource, createSource, deleteSource, withAuthMode } from '../actions/write-source.ts'
import type { Means } from '../means.ts'
import { readDocument, readPatch, writeDocument } from './source-document.ts'

export function managingRoutes(means: Means): Route[] {
  const present = (counted: CountedSource) => writeDocument(means, counted)
  return serve(stated, shapes, {
    async listSources(request) {
      const page = await listSources(means, request.caller, request.query)
      return answer(200, page.items.map(present), linkNext(request.url, page))
    },
    async getSource(request) {
      const found = await getSource(means, request.caller, request.params.sourceID)
      return answer(200, present(found), { etag: etagOf(found.source.updatedAt) })
    },
    async getSourceHealth(request) {
      return answer(200, await readHealth(means, request.caller, request.params.sourceID))
    },
    async createSource(request) {
      const created = await createSource(means, originOf(request), readDocument(request.body))
      const { id, updatedAt } = created.source
      const headers = { location: `/v1/git-webhook-sources/${id}`, etag: etagOf(updatedAt) }
      return answer(201, present(created), headers)
    },
    async replaceSource(request) {
      const change = withAuthMode(means, readDocument(request.body))
      const changedTo = await changeSource(means, originOf(request), request.params.sourceID, change)
      return answer(200, present(changedTo), { etag: etagOf(changedTo.source.updatedAt) })
    },
    async updateSource(request) {
      const change = readPatch(request.body)
      const changedTo = await changeSource(means, originOf(request), request.params.sourceID, change)
      return answer(200, present(changedTo), { etag: etagOf(changedTo.source.updatedAt) })
    },
    async deleteSource(request) {
      const deletion = { ifUnused: request.query.if_unused ?? false }
      await deleteSource(means, originOf(request), request.params.sourceID, deletion)
      return answer(204)
    },
  })
}
