import * as shapes from '@signalbox/contracts/reports'
import { reportRoutes as stated } from '@signalbox/contracts/reports/routes'
import { answer, type Route, serve, toWire } from '#platform/http'
import { listRunReports } from './actions/list-run-reports.ts'
import type { Means } from './means.ts'

export function reportRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    listRunReports: async (request) => {
      const reports = await listRunReports(means, request.caller, request.params.id)
      return answer(
        200,
        reports.map((report) => toWire(report)),
      )
    },
  })
}
