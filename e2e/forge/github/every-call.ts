import type { Answer, Call } from '../http/call.ts'
import { withEtag } from './paging.ts'
import { problem } from './refusals.ts'
import type { World } from './world.ts'

/** The versions of the API that the forge speaks. */
const VERSIONS = ['2022-11-28']
const HOUR_S = 3600

/** What GitHub refuses whatever the operation is. */
export function findGeneralFault({ headers }: Call): Answer | undefined {
  if ((headers['user-agent'] ?? '') === '') {
    return problem(
      403,
      'Request forbidden by administrative rules. Please make sure your request has a User-Agent header',
    )
  }
  const version = headers['x-github-api-version']
  if (version !== undefined && !VERSIONS.includes(String(version))) {
    return problem(400, `Invalid API version "${String(version)}"`)
  }
  return undefined
}

/** Counts the call, and gives the answer its ETag and the headers of the rate. 304 costs nothing. */
export async function answerCall(world: World, call: Call, handle: () => Promise<Answer>): Promise<Answer> {
  if (!call.path.startsWith('/api/')) return handle()
  const caller = call.headers.authorization ?? ''
  const used = world.used.get(caller) ?? 0
  if (used >= world.rateLimit) {
    const answer = problem(403, 'API rate limit exceeded for installation.')
    return { ...answer, headers: rateHeaders(world, used) }
  }
  const answer = withEtag(call, await handle())
  const counted = answer.status === 304 ? used : used + 1
  world.used.set(caller, counted)
  return { ...answer, headers: { ...rateHeaders(world, counted), ...answer.headers } }
}

function rateHeaders({ rateLimit, clock }: World, used: number): Record<string, string> {
  return {
    'x-ratelimit-limit': String(rateLimit),
    'x-ratelimit-remaining': String(Math.max(0, rateLimit - used)),
    'x-ratelimit-reset': String(Math.ceil(clock.now() / 1000) + HOUR_S),
    'x-ratelimit-used': String(used),
    'x-ratelimit-resource': 'core',
    'x-github-media-type': 'github.v3; format=json',
    'x-github-enterprise-version': '3.19.0',
  }
}
