import { createHash } from 'node:crypto'
import type { Answer, Call } from '../http/call.ts'

const MOST = 100
const USUAL = 30

/** One page of the items, with GitHub's `Link`. */
export function pageOf<T>(
  url: string,
  call: Call,
  items: readonly T[],
  describe: (item: T) => unknown,
): Answer & { readonly body: readonly unknown[] } {
  const perPage = within(call.query.get('per_page'), USUAL, MOST)
  const page = within(call.query.get('page'), 1, Number.MAX_SAFE_INTEGER)
  const last = Math.max(1, Math.ceil(items.length / perPage))
  const shown = items.slice((page - 1) * perPage, page * perPage).map(describe)
  const links = [
    ...(page > 1 ? [linkOf(url, call, page - 1, 'prev')] : []),
    ...(page < last ? [linkOf(url, call, page + 1, 'next'), linkOf(url, call, last, 'last')] : []),
    ...(page > 1 ? [linkOf(url, call, 1, 'first')] : []),
  ]
  return { status: 200, body: shown, ...(links.length === 0 ? {} : { headers: { link: links.join(', ') } }) }
}

/** A page of a list that is read by a cursor: the number of items to skip. */
export function cursorPageOf<T>(url: string, call: Call, items: readonly T[], describe: (item: T) => unknown): Answer {
  const perPage = within(call.query.get('per_page'), USUAL, MOST)
  const start = Number(/^v1_(\d+)$/.exec(call.query.get('cursor') ?? '')?.[1] ?? 0)
  const shown = items.slice(start, start + perPage).map(describe)
  const next = start + perPage
  if (next >= items.length) return { status: 200, body: shown }
  return { status: 200, body: shown, headers: { link: linkTo(url, call, { cursor: `v1_${next}` }, 'next') } }
}

/** 304 where the caller knows the answer already. */
export function withEtag(call: Call, answer: Answer): Answer {
  if (call.method !== 'GET' || answer.status !== 200 || typeof answer.body === 'string') return answer
  const digest = createHash('sha256')
    .update(JSON.stringify([answer.body, answer.headers?.['link']]))
    .digest('hex')
  const etag = `W/"${digest}"`
  const known = call.headers['if-none-match']?.split(',').map((one) => one.trim()) ?? []
  if (!known.includes(etag)) return { ...answer, headers: { ...answer.headers, etag } }
  return { status: 304, headers: { ...answer.headers, etag } }
}

function linkOf(url: string, call: Call, page: number, rel: string): string {
  return linkTo(url, call, { page: String(page) }, rel)
}

function linkTo(url: string, { path, query }: Call, changed: Readonly<Record<string, string>>, rel: string): string {
  const target = new URL(path, url)
  for (const [name, value] of query) target.searchParams.set(name, value)
  for (const [name, value] of Object.entries(changed)) target.searchParams.set(name, value)
  return `<${target.href}>; rel="${rel}"`
}

function within(text: string | null, usual: number, most: number): number {
  const value = Number(text ?? usual)
  return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : usual
}
