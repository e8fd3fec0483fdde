import type { Api } from './api.ts'

const NEXT = /<([^>]+)>; rel="next"/

/** All items of a list, page after page; `path` without a limit. */
export async function listAll<T>(api: Api, path: string): Promise<T[]> {
  const items: T[] = []
  let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}limit=500`
  while (next !== undefined) {
    const answer = await api.ask('GET', next)
    if (answer.status !== 200) throw new Error(`GET ${next}: ${answer.status} ${JSON.stringify(answer.body)}`)
    items.push(...(answer.body as T[]))
    next = NEXT.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return items
}
