import * as shapes from '@signalbox/contracts/sources'
import { connectionRoutes as stated } from '@signalbox/contracts/sources/routes'
import { answer, originOf, type Route, serve } from '#platform/http'
import type { Kit } from '#platform/room'
import { connectRepository } from '../actions/connect-repository.ts'
import { disconnectRepository } from '../actions/disconnect-repository.ts'
import { inspectConnection } from '../actions/inspect-connection.ts'
import { listConnections } from '../actions/list-connections.ts'
import type { SourceNeeds } from '../index.ts'

export function connectionRoutes(kit: Kit, needs: SourceNeeds): Route[] {
  return serve(stated, shapes, {
    listConnections: async (request) =>
      answer(200, await listConnections(kit, needs, request.caller, request.params.sourceID)),
    connectRepository: async (request) =>
      answer(200, await connectRepository(kit, needs, originOf(request), wantedOf(request, request.body))),
    checkConnection: async (request) =>
      answer(200, await inspectConnection(kit, needs, originOf(request), wantedOf(request, request.body))),
    disconnectRepository: async (request) =>
      answer(200, await disconnectRepository(kit, needs, originOf(request), wantedOf(request, request.body))),
  })
}

function wantedOf(
  { params: { sourceID }, signal }: { readonly params: { readonly sourceID: string }; readonly signal: AbortSignal },
  { repository, token }: shapes.ConnectionRequest,
) {
  return { sourceId: sourceID, repository, token, signal }
}
