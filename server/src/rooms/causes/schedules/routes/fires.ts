import * as shapes from '@signalbox/contracts/schedules'
import { explainRoutes, fireRoutes as stated } from '@signalbox/contracts/schedules/routes'
import { answer, linkNext, type Route, serve, toWire } from '#platform/http'
import { explainSchedule } from '../actions/explain-schedule.ts'
import { listVisibleFires } from '../actions/list-fires.ts'
import type { Means } from '../means.ts'
import type { Fire } from '../store/fires.ts'

export function fireRoutes(means: Means): Route[] {
  const fires = serve(stated, shapes, {
    async listFires(request) {
      const page = await listVisibleFires(means, request.caller, { ...request.query, schedule: request.params.id })
      return answer(200, page.items.map(presentFire), linkNext(request.url, page))
    },
  })
  const explanations = serve(explainRoutes, shapes, {
    explainSchedule: async (request) => answer(200, await explainSchedule(means, request.caller, request.query)),
  })
  return [...fires, ...explanations]
}

function presentFire({ scheduleId: _schedule, pipeline: _pipeline, ...fire }: Fire): shapes.ScheduleFire {
  return toWire(fire)
}
