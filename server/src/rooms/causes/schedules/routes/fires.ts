import * as shapes from '@signalbox/contracts/schedules'
import { fireRoutes as stated } from '@signalbox/contracts/schedules/routes'
import { answer, linkNext, type Route, serve, toWire } from '#platform/http'
import { listVisibleFires } from '../actions/list-fires.ts'
import type { Means } from '../means.ts'
import type { Fire } from '../store/fires.ts'

export function fireRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async listFires(request) {
      const page = await listVisibleFires(means, request.caller, { ...request.query, schedule: request.params.id })
      return answer(200, page.items.map(presentFire), linkNext(request.url, page))
    },
  })
}

function presentFire({ scheduleId: _schedule, ...fire }: Fire): shapes.ScheduleFire {
  return toWire(fire)
}
