import { Readable } from 'node:stream'
import { type Caller, type RequestOrigin, requireSetUp } from '#platform/http'
import type { McpAnswer } from '#platform/mcp'
import { platformProblem } from '#platform/problems'
import { mcpProblem } from '../errors.ts'
import { keyOf } from '../limits/call-limits.ts'
import type { Means } from '../means.ts'
import { readNarrowing } from '../rules/narrowing.ts'
import { makeOffer } from './make-offer.ts'

/** One POST to the endpoint; its body is read once the caller is let in. */
export interface Message {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly signal: AbortSignal
  readBody(): Promise<Buffer>
}

/**
 * Answers a message of an agent. Throws unauthenticated (401) for a session of the page, authorization_unavailable (503)
 * and setup_locked (403), all before the message is read.
 */
export async function answerMessage(
  means: Means,
  { caller, address, requestId }: RequestOrigin,
  { headers, signal, readBody }: Message,
): Promise<McpAnswer> {
  if (caller.sessionId !== undefined) {
    throw platformProblem(
      'unauthenticated',
      'Send a token as "Authorization: Bearer <token>": a session is for pages.',
      {
        headers: { 'www-authenticate': 'Bearer' },
      },
    )
  }
  await requireSetUp({}, caller, means.access.authenticator)
  const body = await readBody()
  const origin = { caller, address, requestId, log: means.log, signal }
  const offer = await makeOffer(means, origin, readNarrowing(headers))
  const place = takePlace(means, caller, body)
  try {
    const answer = await means.endpoint.answer({ body, headers, signal }, offer)
    if (!(answer.body instanceof Readable)) place?.()
    else if (place) answer.body.once('close', place)
    return answer
  } catch (error) {
    place?.()
    throw error
  }
}

/** What is answered by a stream: a subscription, or the progress of a call. */
const STREAMED = /"subscriptions\/listen"|"progressToken"/

/**
 * A place for the stream that a message may be answered by, before anything is done: one token must not take the streams
 * that others need. Throws mcp.too_many_calls (429).
 */
function takePlace(means: Means, caller: Caller, body: Buffer): (() => void) | undefined {
  if (!STREAMED.test(body.toString())) return undefined
  const done = means.limits.openStream(keyOf(caller))
  if (done) return done
  throw mcpProblem('mcp.too_many_calls', 'This token has as many open streams as it may: close one of them first.', {
    headers: { 'retry-after': '1' },
  })
}
