import { GitEventAnswer } from '@signalbox/contracts/events'
import { answer, defineRoute, originOf, type Route } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { receiveEvent } from './actions/receive-event.ts'
import type { EventMeans } from './index.ts'

export function eventRoutes(kit: Kit, needs: EventMeans): Route[] {
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

/** The body is read raw for its signature, so that the server's own parsers do not look at the type. */
function requireJson(type: string | string[] | undefined): void {
  if (typeof type === 'string' && /^application\/json\s*(?:;\s*charset="?utf-?8"?\s*)?$/i.test(type)) return
  throw platformProblem('unsupported_media_type', 'Send the body as application/json.')
}
