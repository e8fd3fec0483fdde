import { nextLink } from '@signalbox/contracts/http/links'
import type { CallOrigin, CallParts, RouteCalls } from '#platform/http'
import { tell } from './words.ts'

/** What a called route answered, its texts told apart. */
export interface ToldAnswer {
  readonly status: number
  readonly body: unknown
  /** Of a list: the cursor of the next page. */
  readonly nextCursor: string | undefined
  readonly etag: string | undefined
}

/** Calls the route of this name as the caller of the tool. Throws what HTTP would answer as a Problem. */
export async function askRoute(
  { calls, origin }: { readonly calls: RouteCalls; readonly origin: CallOrigin },
  name: string,
  parts: CallParts,
): Promise<ToldAnswer> {
  const answer = await calls.call(name, parts, origin)
  const shape = calls.find(name)?.responses[answer.status]
  return {
    status: answer.status,
    body: tell(typeof shape === 'string' ? undefined : shape, answer.body),
    nextCursor: cursorIn(answer.headers['link']),
    etag: answer.headers['etag'],
  }
}

function cursorIn(link: string | undefined): string | undefined {
  const next = link === undefined ? undefined : nextLink(link)
  return next === undefined ? undefined : (new URL(next, 'http://localhost').searchParams.get('cursor') ?? undefined)
}
