import * as shapes from '@signalbox/contracts/commands'
import { commandRoutes as stated } from '@signalbox/contracts/commands/routes'
import { answer, linkNext, type Route, serve } from '#platform/http'
import { listCommands, presentCommand } from './actions/list-commands.ts'
import { listRunCommands, presentRunCommand } from './actions/list-run-commands.ts'
import type { Means } from './means.ts'

export function commandRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async listCommentCommands(request) {
      const page = await listCommands(means, request.caller, request.query)
      return answer(200, page.items.map(presentCommand), linkNext(request.url, page))
    },
    async listRunCommands(request) {
      const { caller, params, query } = request
      const page = await listRunCommands(means, caller, { runId: params.id, query })
      return answer(200, page.items.map(presentRunCommand), linkNext(request.url, page))
    },
  })
}
