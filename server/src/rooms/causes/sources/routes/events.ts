import * as shapes from '@signalbox/contracts/events'
import { eventRecordRoutes as stated } from '@signalbox/contracts/events/routes'
import { answer, linkNext, type Route, serve, toWire } from '#platform/http'
import { getEvent, listEvents, type MarkedEvent } from '../actions/read-events.ts'
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

function present(event: MarkedEvent): shapes.EventRecord {
  const { posterKind: kind, posterId: id, posterName: name, teamPath: _team, directRunId: _run, ...row } = event
  const { deliveryRecordId: deliveryId, ...shown } = row
  return {
    ...toWire({ ...shown, deliveryId }),
    recovered: event.missedAt !== null,
    cause: event.sourceId === null ? 'posted' : 'delivery',
    posted_by: kind === null || id === null || name === null ? null : { kind, id, name },
  }
}
