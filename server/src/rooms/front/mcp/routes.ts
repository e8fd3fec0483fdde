import * as shapes from '@signalbox/contracts/mcp'
import { mcpRoutes as stated } from '@signalbox/contracts/mcp/routes'
import { answer, linkNext, originOf, type Route, serve } from '#platform/http'
import { type Problem, platformProblem } from '#platform/problems'
import { answerMessage } from './actions/answer-message.ts'
import { listCalls, listToolsOf } from './actions/look-at-tools.ts'
import type { Means } from './means.ts'
import { findForeignSite, type Site } from './rules/allowed-site.ts'

/** Largest message; a document of a pipeline is the largest input. */
const MOST_BYTES = 1024 * 1024

export function mcpRoutes(means: Means, site: Site): Route[] {
  return serve(stated, shapes, {
    callMcp(request) {
      const foreign = findForeignSite(request.headers, site)
      if (foreign !== undefined) throw platformProblem('cross_site', foreign)
      const { headers, signal } = request
      const readBody = (): Promise<Buffer> => request.readBody(MOST_BYTES)
      return answerMessage(means, originOf(request), { headers, signal, readBody })
    },
    openMcpStream: () => Promise.reject(notOffered()),
    endMcpSession: () => Promise.reject(notOffered()),
    listMcpTools: async ({ caller, query }) => answer(200, await listToolsOf(means, caller, query)),
    async listMcpCalls({ caller, query, url }) {
      const page = await listCalls(means, caller, query)
      return answer(200, page.items, linkNext(url, page))
    },
  })
}

/** There are no sessions, so there is neither a stream of one nor an end. */
function notOffered(): Problem {
  return platformProblem('method_not_allowed', 'Send each message with POST: there are no sessions.', {
    headers: { allow: 'POST' },
  })
}
