import type { Fields } from '../fields.ts'
import type { World } from '../github/world.ts'
import type { Answer, Call } from '../http/call.ts'
import type { Route } from '../http/route.ts'
import type { Access } from './access.ts'
import type { Dialect, OperationName, Scope } from './dialect.ts'
import type { ConnectedEvents } from './events.ts'

export interface Parts {
  readonly world: World
  readonly dialect: Dialect
  readonly access: Access
  readonly events: ConnectedEvents
}

export type Operations = Readonly<Partial<Record<OperationName, Route['handle']>>>

export const READ: Scope = { kind: 'repository', access: 'read' }
export const WRITE: Scope = { kind: 'repository', access: 'write' }
/** One page of the items, with the provider's headers. */
export function pageOf<T>(
  { world, dialect }: Parts,
  call: Call,
  items: readonly T[],
  describe: (item: T) => Fields,
): Answer {
  const { size, usual, most } = dialect.paging
  const perPage = Math.min(within(call.query.get(size), usual), most)
  const page = within(call.query.get('page'), 1)
  const last = Math.max(1, Math.ceil(items.length / perPage))
  const next = new URL(`${world.url}${call.path}?${call.query.toString()}`)
  next.searchParams.set('page', String(page + 1))
  const link = page < last ? { link: `<${next.href}>; rel="next"` } : {}
  return {
    status: 200,
    headers: { ...dialect.pageHeaders(items.length, page, last), ...link },
    body: items.slice((page - 1) * perPage, page * perPage).map(describe),
  }
}

function within(text: string | null, usual: number): number {
  const value = Number(text ?? usual)
  return Number.isInteger(value) && value >= 1 ? value : usual
}
