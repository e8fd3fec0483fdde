import * as shapes from '@signalbox/contracts/events'
import { eventRoutes as stated } from '@signalbox/contracts/events/routes'
import * as overrideShapes from '@signalbox/contracts/overrides'
import { resolutionRoutes } from '@signalbox/contracts/overrides/routes'
import { answer, originOf, type Route, serve } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { previewOverride } from './actions/preview-override.ts'
import { readResolution } from './actions/read-resolution.ts'
import { receiveEvent } from './actions/receive-event.ts'
import type { Means } from './means.ts'
import { readQuestion } from './rules/index.ts'

export function eventRoutes(means: Means): Route[] {
  return [...posting(means), ...foreseeing(means)]
}

function posting(means: Means): Route[] {
  return serve(stated, shapes, {
    async postGitEvent(request) {
      requireJson(request.headers['content-type'])
      const rawBody = await request.readBody(means.config.bodyLimit)
      const { 'x-service-signature': signature, 'idempotency-key': idempotencyKey } = request.headers
      const posted = { origin: originOf(request), rawBody, signature, idempotencyKey }
      return answer(200, await receiveEvent(means, posted))
    },
  })
}

/** The routes that tell which runs events would start, or would have started. */
function foreseeing(means: Means): Route[] {
  return serve(resolutionRoutes, overrideShapes, {
    async resolveRepository({ caller, params, query }) {
      const { ref = null, event } = query
      const question = readQuestion(`${params.repoOwner}/${params.repoName}`, ref, event)
      return answer(200, await readResolution(means, caller, question))
    },
    async previewOverride({ caller, body }) {
      const { repo_owner: repoOwner, repo_name: repoName, pipeline, scope } = body
      return answer(200, await previewOverride(means, caller, { repoOwner, repoName, pipeline, scope }))
    },
  })
}

/** The body is read raw for its signature, so that the server's own parsers do not look at the type. */
function requireJson(type: string | string[] | undefined): void {
  if (typeof type === 'string' && /^application\/json\s*(?:;\s*charset="?utf-?8"?\s*)?$/i.test(type)) return
  throw platformProblem('unsupported_media_type', 'Send the body as application/json.')
}
