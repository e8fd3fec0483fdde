import * as shapes from '@signalbox/contracts/events'
import { eventRecordRoutes as stated } from '@signalbox/contracts/events/routes'
import { answer, linkNext, type Route, serve } from '#platform/http'
import { toWireTime } from '#platform/time'
import type { EventRow } from '#rooms/causes/events'
import { getEvent, listEvents } from '../actions/read-events.ts'
import type { Means } from '../means.ts'

export function eventRecordRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async listEvents(request) {
      const page = await listEvents(means, request.caller, request.query)
      return answer(200, page.items.map(present), linkNext(request.url, page))
    },
    async getEvent(request) {
      const { event, trace, runIds } = await getEvent(means, request.caller, request.params.id)
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
