import * as shapes from '@signalbox/contracts/schedules'
import { scheduleRoutes as stated } from '@signalbox/contracts/schedules/routes'
import { answer, etagOf, linkNext, originOf, type Route, serve } from '#platform/http'
import { describeSchedule } from '../actions/describe-schedule.ts'
import { getSchedule, listSchedules } from '../actions/find-schedule.ts'
import { presentAllFor, presentFor } from '../actions/present-schedule.ts'
import { previewSchedule } from '../actions/preview-schedule.ts'
import { readChange, readDocument } from '../actions/read-document.ts'
import { runSchedule } from '../actions/run-schedule.ts'
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  disableSchedule,
  enableSchedule,
} from '../actions/write-schedule.ts'
import type { Means } from '../means.ts'
import type { Schedule } from '../store/schedules.ts'

export function scheduleRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async listSchedules(request) {
      const page = await listSchedules(means, request.caller, request.query)
      return answer(200, await presentAllFor(means, request.caller, page.items), linkNext(request.url, page))
    },
    async createSchedule(request) {
      const schedule = await createSchedule(means, originOf(request), readDocument(request.body))
      const headers = { location: `/v1/schedules/${schedule.id}`, ...tagOf(schedule) }
      return answer(201, await presentFor(means, request.caller, schedule), headers)
    },
    previewSchedule: async (request) => answer(200, await previewSchedule(means, request.caller, request.body)),
    async getSchedule(request) {
      const schedule = await getSchedule(means, request.caller, request.params.id)
      return answer(200, await describeSchedule(means, request.caller, schedule), tagOf(schedule))
    },
    async replaceSchedule(request) {
      const schedule = await changeSchedule(means, originOf(request), request.params.id, readDocument(request.body))
      return answer(200, await presentFor(means, request.caller, schedule), tagOf(schedule))
    },
    async updateSchedule(request) {
      const schedule = await changeSchedule(means, originOf(request), request.params.id, readChange(request.body))
      return answer(200, await presentFor(means, request.caller, schedule), tagOf(schedule))
    },
    async deleteSchedule(request) {
      await deleteSchedule(means, originOf(request), request.params.id)
      return answer(204)
    },
    async enableSchedule(request) {
      const schedule = await enableSchedule(means, originOf(request), request.params.id)
      return answer(200, await presentFor(means, request.caller, schedule), tagOf(schedule))
    },
    async disableSchedule(request) {
      const schedule = await disableSchedule(means, originOf(request), request.params.id)
      return answer(200, await presentFor(means, request.caller, schedule), tagOf(schedule))
    },
    async runSchedule(request) {
      const id = await runSchedule(means, originOf(request), request.params.id)
      return answer(202, { run_id: id, status: 'queued' }, { location: `/v1/runs/${id}` })
    },
  })
}

function tagOf({ updatedAt }: Schedule): { readonly etag: string } {
  return { etag: etagOf(updatedAt) }
}
