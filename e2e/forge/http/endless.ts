import type { Answer, Call } from './call.ts'

/** The call as if it asked for the first page. */
export function asFirstPage(call: Call): Call {
  const query = new URLSearchParams(call.query)
  query.delete('page')
  query.delete('cursor')
  return { ...call, query }
}

/** The answer with a next page, whichever page the call asked for. `url` is the forge's own address. */
export function withNextPage(answer: Answer, { path, query }: Call, url: string): Answer {
  const page = Number(query.get('page') ?? '1') + 1
  const next = new URL(path, url)
  for (const [name, value] of query) next.searchParams.set(name, value)
  next.searchParams.set('page', String(page))
  return {
    ...answer,
    headers: { ...answer.headers, link: `<${next.href}>; rel="next"`, 'x-next-page': String(page) },
  }
}
