import {
  Override,
  OverrideDocument,
  OverrideOrNone,
  OverrideQuery,
  OverrideValidation,
  RepositoryParams,
} from '@signalbox/contracts/overrides'
import { Type } from 'typebox'
import {
  type Answer,
  answer,
  defineRoute,
  etagOf,
  linkNext,
  originOf,
  type Route,
  type RouteRequest,
} from '#platform/http'
import { Problem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { deleteOverride } from './actions/delete-override.ts'
import { findVisibleOverride, listOverrides, presentOverride } from './actions/find-override.ts'
import { type OverrideWrite, putOverride } from './actions/put-override.ts'
import { validateOverride } from './actions/validate-override.ts'
import type { OverrideNeeds } from './index.ts'
import { MAX_DOCUMENT_BYTES, type Standed } from './rules/index.ts'

const tag = 'overrides'
const path = '/v1/overrides/:repoOwner/:repoName'

/** `changed` is called after a commit, so that an event that follows at once meets the override. */
export function overrideRoutes(kit: Kit, needs: OverrideNeeds, changed: () => void): Route[] {
  return [...reading(kit, needs), ...writing(kit, needs, changed), ...asking(kit, needs)]
}

function reading(kit: Kit, needs: OverrideNeeds): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/overrides',
      summary: 'List the overrides that the caller may see, newest first',
      tag,
      class: 'authorized',
      permission: 'override.read',
      schema: { query: OverrideQuery },
      responses: { 200: Type.Array(Override) },
      handle: async (request) => {
        const page = await listOverrides(kit, needs, request.caller, request.query)
        const now = kit.clock.now()
        const items = page.items.map((standed) => presentOverride(standed, now))
        return answer(200, items, linkNext(request.url, page))
      },
    }),
    defineRoute({
      method: 'GET',
      path,
      summary: 'The override of a repository; {} where it has none that the caller may see',
      tag,
      class: 'authorized',
      permission: 'override.read',
      schema: { params: RepositoryParams },
      responses: { 200: OverrideOrNone },
      handle: async (request) => {
        const found = await findVisibleOverride(kit, needs, request.caller, request.params)
        return found ? present(kit, found) : answer(200, {})
      },
    }),
  ]
}

function writing(kit: Kit, needs: OverrideNeeds, changed: () => void): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path,
      summary: 'Make or replace the override of a repository; its runs start on behalf of the caller',
      tag,
      class: 'authorized',
      permission: 'override.write',
      schema: { params: RepositoryParams, body: OverrideDocument },
      responses: { 200: Override },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const write = { ...request.params, ...readBody(request.body), ifMatch: request.headers['if-match'] }
        const written = await putOverride(kit, needs, originOf(request), write)
        changed()
        return present(kit, written)
      },
    }),
    defineRoute({
      method: 'DELETE',
      path,
      summary: 'Delete the override of a repository; its manifest and the triggers decide again',
      tag,
      class: 'authorized',
      permission: 'override.write',
      schema: { params: RepositoryParams },
      responses: { 204: 'empty' },
      problems: [{ status: 404 }, { status: 409 }],
      handle: async (request) => {
        await deleteOverride(kit, needs, originOf(request), request.params, request.headers['if-match'])
        changed()
        return answer(204)
      },
    }),
  ]
}

function present(kit: Kit, standed: Standed): Answer {
  return answer(200, presentOverride(standed, kit.clock.now()), { etag: etagOf(standed.override.updatedAt) })
}

function asking(kit: Kit, needs: OverrideNeeds): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/overrides/validate',
      summary: 'Say everything that is wrong with an override (body: its document as application/yaml)',
      tag,
      class: 'authenticated',
      // Whatever comes is answered with 200 and what is wrong with it, so nothing is refused before it is looked at.
      rawBody: true,
      responses: { 200: OverrideValidation },
      handle: async (request) => {
        const { bytes, rest } = await readDocumentBody(request, kit.config.bodyLimit)
        return answer(200, await validateOverride(kit, needs, request.caller, bytes), rest)
      },
    }),
  ]
}

function readBody(body: OverrideDocument): Pick<OverrideWrite, 'pipeline' | 'scope' | 'expiresAt' | 'reason'> {
  const { pipeline, scope, expires_at: expiresAt, reason } = body
  return { pipeline, scope, expiresAt: expiresAt ? new Date(expiresAt) : null, reason: reason ?? null }
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
