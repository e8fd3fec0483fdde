import { GitEventAnswer } from '@signalbox/contracts/events'
import {
  OverridePreview,
  OverridePreviewDocument,
  OverrideResolution,
  RepositoryParams,
  ResolutionQuery,
} from '@signalbox/contracts/overrides'
import { answer, defineRoute, originOf, type Route } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { previewOverride } from './actions/preview-override.ts'
import { readResolution } from './actions/read-resolution.ts'
import { receiveEvent } from './actions/receive-event.ts'
import type { EventMeans } from './index.ts'
import { readQuestion } from './rules/index.ts'

export function eventRoutes(kit: Kit, needs: EventMeans): Route[] {
  return [...posting(kit, needs), ...foreseeing(kit, needs)]
}

function posting(kit: Kit, needs: EventMeans): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/git/events',
      summary: 'Receive a normalised Git event (body: GitEvent); starts the runs of matching triggers',
      tag: 'git',
      class: 'authenticated',
      rawBody: true,
      responses: { 200: GitEventAnswer },
      problems: [{ status: 403 }],
      handle: async (request) => {
        requireJson(request.headers['content-type'])
        const rawBody = await request.readBody(kit.config.bodyLimit)
        const { 'x-service-signature': signature, 'idempotency-key': idempotencyKey } = request.headers
        const posted = { origin: originOf(request), rawBody, signature, idempotencyKey }
        return answer(200, await receiveEvent(kit, needs, posted))
      },
    }),
  ]
}

/** What events would start, or would have started. */
function foreseeing(kit: Kit, needs: EventMeans): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/overrides/:repoOwner/:repoName/resolution',
      summary: 'What an event of the repository would start now, and which rules a higher layer outranks',
      tag: 'overrides',
      class: 'authorized',
      permission: 'override.read',
      schema: { params: RepositoryParams, query: ResolutionQuery },
      responses: { 200: OverrideResolution },
      handle: async ({ caller, params, query }) => {
        const { ref = null, event } = query
        const question = readQuestion(`${params.repoOwner}/${params.repoName}`, ref, event)
        return answer(200, await readResolution(kit, needs, caller, question))
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/overrides/preview',
      summary: 'What the last 50 deliveries of a repository would have started with an override',
      tag: 'overrides',
      class: 'authorized',
      permission: 'override.write',
      schema: { body: OverridePreviewDocument },
      responses: { 200: OverridePreview },
      handle: async ({ caller, body }) => {
        const { repo_owner: repoOwner, repo_name: repoName, pipeline, scope } = body
        return answer(200, await previewOverride(kit, needs, caller, { repoOwner, repoName, pipeline, scope }))
      },
    }),
  ]
}

/** The body is read raw for its signature, so that the server's own parsers do not look at the type. */
function requireJson(type: string | string[] | undefined): void {
  if (typeof type === 'string' && /^application\/json\s*(?:;\s*charset="?utf-?8"?\s*)?$/i.test(type)) return
  throw platformProblem('unsupported_media_type', 'Send the body as application/json.')
}
