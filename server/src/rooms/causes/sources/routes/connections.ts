import * as shapes from '@signalbox/contracts/sources'
import { connectionRoutes as stated } from '@signalbox/contracts/sources/routes'
import { answer, originOf, type Route, serve } from '#platform/http'
import { connectRepository } from '../actions/connect-repository.ts'
import { disconnectRepository } from '../actions/disconnect-repository.ts'
import { inspectConnection } from '../actions/inspect-connection.ts'
import { listConnections } from '../actions/list-connections.ts'
import type { Means } from '../means.ts'

export function connectionRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    listConnections: async (request) =>
      answer(200, await listConnections(means, request.caller, request.params.sourceID)),
    connectRepository: async (request) =>
      answer(200, await connectRepository(means, originOf(request), wantedOf(request, request.body))),
    checkConnection: async (request) =>
      answer(200, await inspectConnection(means, originOf(request), wantedOf(request, request.body))),
    disconnectRepository: async (request) =>
      answer(200, await disconnectRepository(means, originOf(request), wantedOf(request, request.body))),
  })
}

function wantedOf(
  { params: { sourceID }, signal }: { readonly params: { readonly sourceID: string }; readonly signal: AbortSignal },
  { repository, token }: shapes.ConnectionRequest,
) {
  return { sourceId: sourceID, repository, token, signal }
}
