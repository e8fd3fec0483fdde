import { Uuid } from '@signalbox/contracts/http'
import {
  DeleteSourceQuery,
  Delivery,
  DeliveryDetail,
  DeliveryQuery,
  IngressAnswer,
  WebhookSource,
  WebhookSourceDocument,
  WebhookSourcePatch,
  WebhookSourceQuery,
} from '@signalbox/contracts/sources'
import { Type } from 'typebox'
import { type Answer, answer, defineRoute, etagOf, linkNext, originOf, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { type CountedSource, getSource, listSources, presentSource } from './actions/find-source.ts'
import type { Ingress } from './actions/open-ingress.ts'
import { getDelivery, listDeliveries, presentDelivery } from './actions/read-deliveries.ts'
import { receiveDelivery } from './actions/receive-delivery.ts'
import {
  changeSource,
  createSource,
  deleteSource,
  type NewSource,
  type SourceChange,
  withAuthMode,
} from './actions/write-source.ts'
import type { SourceNeeds } from './index.ts'
import { DEFAULT_RATE_PER_MINUTE } from './rules/index.ts'

const tag = 'git'
const path = '/v1/git-webhook-sources'
const params = Type.Object({ sourceID: Uuid })

export function sourceRoutes(kit: Kit, needs: SourceNeeds, ingress: Ingress): Route[] {
  return [receiving(kit, ingress), ...reading(kit, needs), ...writing(kit, needs, ingress), ...ofDeliveries(kit)]
}

function receiving(kit: Kit, ingress: Ingress): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/git/webhooks/:sourceID',
    summary: 'Receive a delivery of a Git provider (body: the provider event)',
    tag,
    class: 'public',
    // Not of the form uuid: an id that is none answers 404 like one that is unknown.
    schema: { params: Type.Object({ sourceID: Type.String() }) },
    rawBody: true,
    responses: { 200: IngressAnswer, 202: IngressAnswer },
    problems: [401, 403, 413, 422, 429],
    handle: async (request) => {
      const { headers, rawHeaders, address, readBody } = request
      const { sourceID: sourceId } = request.params
      const delivered = await receiveDelivery(kit, ingress, { sourceId, headers, rawHeaders, address, readBody })
      return answer(delivered.status, delivered.body)
    },
  })
}

function reading(kit: Kit, needs: SourceNeeds): Route[] {
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
        return answer(200, page.items.map(presentSource), linkNext(request.url, page))
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
        whole(200, await getSource(kit, needs.triggers, request.caller, request.params.sourceID)),
    }),
  ]
}

function writing(kit: Kit, needs: SourceNeeds, ingress: Ingress): Route[] {
  // So that a delivery that follows at once sees the change.
  const changed = (): void => {
    ingress.book.invalidate()
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
      problems: [409],
      handle: async (request) => {
        const created = await createSource(kit, needs, originOf(request), readDocument(request.body))
        changed()
        return whole(201, created, { location: `${path}/${created.source.id}` })
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
      problems: [409],
      handle: async (request) => {
        const definition = withAuthMode(needs, readDocument(request.body))
        const change = { definition, ifMatch: request.headers['if-match'] }
        const source = await changeSource(kit, needs, originOf(request), request.params.sourceID, change)
        changed()
        return whole(200, source)
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
      problems: [409],
      handle: async (request) => {
        const change = readPatch(request.body, request.headers['if-match'])
        const source = await changeSource(kit, needs, originOf(request), request.params.sourceID, change)
        changed()
        return whole(200, source)
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
      problems: [409],
      handle: async (request) => {
        const deletion = { ifUnused: request.query.if_unused ?? false, ifMatch: request.headers['if-match'] }
        await deleteSource(kit, needs, originOf(request), request.params.sourceID, deletion)
        changed()
        return answer(204)
      },
    }),
  ]
}

function ofDeliveries(kit: Kit): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${path}/:sourceID/deliveries`,
      summary: 'List the deliveries of a source, newest first',
      tag,
      class: 'authorized',
      permission: 'delivery.read',
      schema: { params, query: DeliveryQuery },
      responses: { 200: Type.Array(Delivery) },
      handle: async (request) => {
        const page = await listDeliveries(kit, request.caller, request.params.sourceID, request.query)
        return answer(200, page.items.map(presentDelivery), linkNext(request.url, page))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:sourceID/deliveries/:deliveryID`,
      summary: 'One delivery with its trace, headers and payload',
      tag,
      class: 'authorized',
      permission: 'delivery.read',
      schema: { params: Type.Object({ sourceID: Uuid, deliveryID: Uuid }) },
      responses: { 200: DeliveryDetail },
      handle: async (request) => {
        const { sourceID, deliveryID } = request.params
        return answer(200, await getDelivery(kit, request.caller, sourceID, deliveryID))
      },
    }),
  ]
}

function whole(status: number, counted: CountedSource, headers: Readonly<Record<string, string>> = {}): Answer {
  return answer(status, presentSource(counted), { ...headers, etag: etagOf(counted.source.updatedAt) })
}

function readDocument(body: WebhookSourceDocument): NewSource {
  return {
    name: body.name,
    provider: body.provider,
    enabled: body.enabled ?? true,
    teamPath: body.team_path,
    visibility: body.visibility ?? 'private',
    authMode: body.auth_mode,
    credentialRef: body.credential_ref,
    baseUrl: body.base_url ?? null,
    checkoutCredentialRef: body.checkout_credential_ref ?? null,
    readRepository: body.read_repository ?? false,
    reportStatus: body.report_status ?? false,
    repositoryAllowlist: body.repository_allowlist,
    ratePerMinute: body.rate_limit?.per_minute ?? DEFAULT_RATE_PER_MINUTE,
    acknowledgeUnmapped: body.acknowledge_unmapped ?? false,
  }
}

function readPatch(body: WebhookSourcePatch, ifMatch: string | string[] | undefined): SourceChange {
  return {
    definition: {
      name: body.name,
      provider: body.provider,
      enabled: body.enabled,
      teamPath: body.team_path,
      visibility: body.visibility,
      authMode: body.auth_mode,
      credentialRef: body.credential_ref,
      baseUrl: body.base_url,
      checkoutCredentialRef: body.checkout_credential_ref,
      readRepository: body.read_repository,
      reportStatus: body.report_status,
      repositoryAllowlist: body.repository_allowlist,
      ratePerMinute: body.rate_limit?.per_minute,
      acknowledgeUnmapped: body.acknowledge_unmapped,
    },
    ifMatch,
  }
}
