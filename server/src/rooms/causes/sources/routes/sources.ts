import { Uuid } from '@signalbox/contracts/http'
import {
  DeleteSourceQuery,
  SourceHealth,
  WebhookSource,
  WebhookSourceDocument,
  WebhookSourcePatch,
  WebhookSourceQuery,
} from '@signalbox/contracts/sources'
import { Type } from 'typebox'
import { type Answer, answer, defineRoute, etagOf, linkNext, originOf, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { type CountedSource, getSource, listSources } from '../actions/find-source.ts'
import { readHealth } from '../actions/read-health.ts'
import { changeSource, createSource, deleteSource, withAuthMode } from '../actions/write-source.ts'
import type { SourceNeeds } from '../index.ts'
import type { Ingress } from '../ingress/ingress.ts'
import { readDocument, readPatch, writeDocument } from './source-document.ts'

const tag = 'git'
const path = '/v1/git-webhook-sources'
const params = Type.Object({ sourceID: Uuid })

export function managingRoutes(kit: Kit, needs: SourceNeeds, ingress: Ingress): Route[] {
  return [...reading(kit, needs, ingress), ...writing(kit, needs, ingress)]
}

function reading(kit: Kit, needs: SourceNeeds, ingress: Ingress): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path,
      summary: 'List the webhook sources that the caller may see, newest first',
      tag,
      class: 'authorized',
      permission: 'webhook_source.read',
      schema: { query: WebhookSourceQuery },
      responses: { 200: Type.Array(WebhookSource) },
      handle: async (request) => {
        const page = await listSources(kit, needs.triggers, request.caller, request.query)
        return answer(
          200,
          page.items.map((each) => writeDocument(kit, needs.forges, each)),
          linkNext(request.url, page),
        )
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:sourceID`,
      summary: 'One webhook source',
      tag,
      class: 'authorized',
      permission: 'webhook_source.read',
      schema: { params },
      responses: { 200: WebhookSource },
      handle: async (request) =>
        whole(kit, needs, await getSource(kit, needs.triggers, request.caller, request.params.sourceID)),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:sourceID/health`,
      summary:
        'How a source does: what the provider counts as failures, what nothing can use, which secrets are in use',
      tag,
      class: 'authorized',
      permission: 'webhook_source.read',
      schema: { params },
      responses: { 200: SourceHealth },
      handle: async (request) => answer(200, await readHealth(kit, ingress, request.caller, request.params.sourceID)),
    }),
  ]
}

function writing(kit: Kit, needs: SourceNeeds, ingress: Ingress): Route[] {
  // So that a delivery that follows at once sees the change.
  const changed = (): void => {
    ingress.book.invalidate()
    ingress.names.invalidate()
    needs.triggers.changed()
  }
  return [
    defineRoute({
      method: 'POST',
      path,
      summary: 'Create a webhook source; deliveries go to /v1/git/webhooks/{sourceID}',
      tag,
      class: 'authorized',
      permission: 'webhook_source.write',
      schema: { body: WebhookSourceDocument },
      responses: { 201: WebhookSource },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const created = await createSource(kit, needs, originOf(request), readDocument(request.body))
        changed()
        return whole(kit, needs, created, { status: 201, headers: { location: `${path}/${created.source.id}` } })
      },
    }),
    defineRoute({
      method: 'PUT',
      path: `${path}/:sourceID`,
      summary: 'Replace a webhook source; what is left out has its default',
      tag,
      class: 'authorized',
      permission: 'webhook_source.write',
      schema: { params, body: WebhookSourceDocument },
      responses: { 200: WebhookSource },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const definition = withAuthMode(needs, readDocument(request.body))
        const change = { definition, ifMatch: request.headers['if-match'] }
        const source = await changeSource(kit, needs, originOf(request), request.params.sourceID, change)
        changed()
        return whole(kit, needs, source)
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: `${path}/:sourceID`,
      summary: 'Change some fields of a webhook source',
      tag,
      class: 'authorized',
      permission: 'webhook_source.write',
      schema: { params, body: WebhookSourcePatch },
      responses: { 200: WebhookSource },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const change = readPatch(request.body, request.headers['if-match'])
        const source = await changeSource(kit, needs, originOf(request), request.params.sourceID, change)
        changed()
        return whole(kit, needs, source)
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:sourceID`,
      summary: 'Delete a webhook source; its triggers match nothing from then on',
      tag,
      class: 'authorized',
      permission: 'webhook_source.write',
      schema: { params, query: DeleteSourceQuery },
      responses: { 204: 'empty' },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const deletion = { ifUnused: request.query.if_unused ?? false, ifMatch: request.headers['if-match'] }
        await deleteSource(kit, needs, originOf(request), request.params.sourceID, deletion)
        changed()
        return answer(204)
      },
    }),
  ]
}

function whole(
  kit: Kit,
  needs: SourceNeeds,
  counted: CountedSource,
  { status = 200, headers = {} }: { readonly status?: number; readonly headers?: Record<string, string> } = {},
): Answer {
  return answer(status, writeDocument(kit, needs.forges, counted), {
    ...headers,
    etag: etagOf(counted.source.updatedAt),
  })
}
