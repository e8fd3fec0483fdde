import { isUuid } from '#platform/ids'
import { platformProblem } from '#platform/problems'

/** One page of a keyset-paged list, newest first. `next` is the cursor of the page after it. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly next: string | undefined
}

/** Cuts the one row too many that a store was asked for (`limit + 1`), which tells whether another page follows. */
export function toPage<T extends { readonly id: string }>(rows: readonly T[], limit: number): Page<T> {
  const items = rows.slice(0, limit)
  return { items, next: rows.length > limit ? items.at(-1)?.id : undefined }
}

/** The bounds of one page in a store: the rows after the row of id `before`, at most `limit` of them. */
export interface Window {
  readonly before: string | undefined
  readonly limit: number
}

const DEFAULT_LIMIT = 50

/** Answers one page of a list: `fetch` reads the rows of a window, newest first. Throws 400 for an invalid cursor. */
export async function pageOf<T extends { readonly id: string }>(
  query: { readonly limit?: number; readonly cursor?: string },
  fetch: (window: Window) => Promise<readonly T[]>,
): Promise<Page<T>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  return toPage(await fetch({ before: readCursor(query.cursor), limit: limit + 1 }), limit)
}

/** The header `Link: <...>; rel="next"` of a page, keeping the query that was asked. */
export function linkNext(url: string, page: Page<unknown>): Readonly<Record<string, string>> {
  if (!page.next) return {}
  const [path = '', query = ''] = url.split('?')
  const search = new URLSearchParams(query)
  search.set('cursor', page.next)
  return { link: `<${path}?${search}>; rel="next"` }
}

/** A cursor is the id of the last row of the page before; anything else is 400. */
export function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || isUuid(cursor)) return cursor
  throw platformProblem('invalid_request', 'cursor must come from a Link header of this list.', {
    errors: [{ field: 'cursor', message: 'must come from a Link header of this list' }],
  })
}
