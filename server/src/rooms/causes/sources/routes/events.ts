import * as shapes from '@signalbox/contracts/events'
import { eventRecordRoutes as stated } from '@signalbox/contracts/events/routes'
import { answer, linkNext, type Route, serve } from '#platform/http'
import type { Kit } from '#platform/room'
import { toWireTime } from '#platform/time'
import type { EventRow } from '#rooms/causes/events'
import { getEvent, listEvents } from '../actions/read-events.ts'
import type { Ingress } from '../ingress/ingress.ts'

export function eventRecordRoutes(kit: Kit, ingress: Ingress): Route[] {
  return serve(stated, shapes, {
    async listEvents(request) {
      const page = await listEvents(kit, ingress, request.caller, request.query)
      return answer(200, page.items.map(present), linkNext(request.url, page))
    },
    async getEvent(request) {
      const { event, trace, runIds } = await getEvent(kit, ingress, request.caller, request.params.id)
      return answer(200, { ...present(event), run_ids: [...runIds], trace })
    },
  })
}

function present(event: EventRow): shapes.EventRecord {
  const { posterKind: kind, posterId: id, posterName: name } = event
  return {
    id: event.id,
    received_at: toWireTime(event.receivedAt),
    cause: event.sourceId === null ? 'posted' : 'delivery',
    kind: event.kind,
    action: event.action,
    provider: event.provider,
    repository: event.repository,
    ref: event.ref,
    commit_sha: event.commitSha,
    result: event.result,
    source_id: event.sourceId,
    delivery_id: event.deliveryRecordId,
    replay_of: event.replayOf,
    posted_by: kind === null || id === null || name === null ? null : { kind, id, name },
  }
}
