import { Uuid } from '@signalbox/contracts/http'
import { Connection, ConnectionRequest, ConnectionResult, Disconnection } from '@signalbox/contracts/sources'
import { Type } from 'typebox'
import { answer, defineRoute, originOf, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { connectRepository } from '../actions/connect-repository.ts'
import { disconnectRepository } from '../actions/disconnect-repository.ts'
import { inspectConnection } from '../actions/inspect-connection.ts'
import { listConnections } from '../actions/list-connections.ts'
import type { SourceNeeds } from '../index.ts'

const tag = 'git'
const path = '/v1/git-webhook-sources/:sourceID/connections'
const params = Type.Object({ sourceID: Uuid })

export function connectionRoutes(kit: Kit, needs: SourceNeeds): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path,
      summary: 'List the webhooks that the service made for a source; no provider is asked',
      tag,
      class: 'authorized',
      permission: 'webhook_source.read',
      schema: { params },
      responses: { 200: Type.Array(Connection) },
      handle: async (request) =>
        answer(200, await listConnections(kit, needs, request.caller, request.params.sourceID)),
    }),
    defineRoute({
      method: 'POST',
      path,
      summary: "Make the webhook of a repository at the source's provider, or repair the one that is there",
      tag,
      class: 'authorized',
      permission: 'webhook_source.write',
      schema: { params, body: ConnectionRequest },
      responses: { 200: ConnectionResult },
      problems: [{ status: 409 }, { status: 502 }],
      handle: async (request) =>
        answer(200, await connectRepository(kit, needs, originOf(request), wantedOf(request, request.body))),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/check`,
      summary: 'Ask the provider whether the webhook of a repository is as it must be; nothing changes there',
      tag,
      class: 'authorized',
      permission: 'webhook_source.write',
      schema: { params, body: ConnectionRequest },
      responses: { 200: Connection },
      problems: [{ status: 409 }, { status: 502 }],
      handle: async (request) =>
        answer(200, await inspectConnection(kit, needs, originOf(request), wantedOf(request, request.body))),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/disconnect`,
      summary: 'Remove every webhook of a repository that sends to the source',
      tag,
      class: 'authorized',
      permission: 'webhook_source.write',
      schema: { params, body: ConnectionRequest },
      responses: { 200: Disconnection },
      problems: [{ status: 502 }],
      handle: async (request) =>
        answer(200, await disconnectRepository(kit, needs, originOf(request), wantedOf(request, request.body))),
    }),
  ]
}

function wantedOf(
  { params: { sourceID }, signal }: { readonly params: { readonly sourceID: string }; readonly signal: AbortSignal },
  { repository, token }: ConnectionRequest,
) {
  return { sourceId: sourceID, repository, token, signal }
}
