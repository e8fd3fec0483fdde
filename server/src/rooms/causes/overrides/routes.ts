import * as shapes from '@signalbox/contracts/overrides'
import { overrideRoutes as stated } from '@signalbox/contracts/overrides/routes'
import { answer, etagOf, linkNext, originOf, type Route, type RouteRequest, serve } from '#platform/http'
import { Problem } from '#platform/problems'
import { deleteOverride } from './actions/delete-override.ts'
import { findVisibleOverride, listOverrides, presentOverride } from './actions/find-override.ts'
import { putOverride } from './actions/put-override.ts'
import { validateOverride } from './actions/validate-override.ts'
import type { Means } from './means.ts'
import { MAX_DOCUMENT_BYTES } from './rules/index.ts'

export function overrideRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async listOverrides(request) {
      const page = await listOverrides(means, request.caller, request.query)
      const now = means.clock.now()
      const items = page.items.map((standed) => presentOverride(standed, now))
      return answer(200, items, linkNext(request.url, page))
    },
    async getOverride(request) {
      const found = await findVisibleOverride(means, request.caller, request.params)
      if (!found) return answer(200, {})
      return answer(200, presentOverride(found, means.clock.now()), { etag: etagOf(found.override.updatedAt) })
    },
    async replaceOverride(request) {
      const { pipeline, scope, expires_at: expiresAt, reason = null } = request.body
      const wanted = { pipeline, scope, expiresAt: expiresAt ? new Date(expiresAt) : null, reason }
      const write = { ...request.params, ...wanted }
      const written = await putOverride(means, originOf(request), write)
      return answer(200, presentOverride(written, means.clock.now()), { etag: etagOf(written.override.updatedAt) })
    },
    async deleteOverride(request) {
      await deleteOverride(means, originOf(request), request.params)
      return answer(204)
    },
    async validateOverride(request) {
      const { bytes, rest } = await readDocumentBody(request, means.config.bodyLimit)
      return answer(200, await validateOverride(means, request.caller, bytes), rest)
    },
  })
}

/** A body beyond the limit of all bodies is cut: what is left of it says enough, and the connection ends. */
async function readDocumentBody(
  request: Pick<RouteRequest, 'readBody'>,
  limit: number,
): Promise<{ readonly bytes: Uint8Array; readonly rest: Readonly<Record<string, string>> }> {
  try {
    return { bytes: await request.readBody(Math.max(limit, MAX_DOCUMENT_BYTES)), rest: {} }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'payload_too_large') throw error
    return { bytes: new Uint8Array(MAX_DOCUMENT_BYTES + 1), rest: { connection: 'close' } }
  }
}
