import type { PartOf, Route, SuccessOf } from './routes.ts'

// A request for a stated route, as a client gives it: the command line and the page.

/** A T as it may be sent: an optional field may be undefined as well, and a list may be readonly. */
export type Sendable<T> = T extends readonly (infer Item)[]
  ? readonly Sendable<Item>[]
  : T extends object
    ? {
        readonly [K in keyof T]: Partial<Pick<T, K>> extends Pick<T, K> ? Sendable<T[K]> | undefined : Sendable<T[K]>
      }
    : T

/** The body of a stated route. */
export type BodyOf<O> = Sendable<PartOf<O, 'body'>>

/** One item of the list that a stated route answers. */
export type ItemOf<O> = SuccessOf<O> extends readonly (infer Item)[] ? Item : never

/** A part of a request: absent where the route takes none, optional where each field of the part is. */
export type RequestPart<
  O,
  Name extends 'params' | 'query' | 'body',
  Value = Sendable<PartOf<O, Name>>,
> = undefined extends Value
  ? { readonly [N in Name]?: undefined }
  : Partial<Value> extends Value
    ? { readonly [N in Name]?: Value }
    : { readonly [N in Name]: Value }

/** The path of a route with its parameters: ids, and identifiers such as acme/web/build, which hold slashes. */
export function pathOf(route: Pick<Route, 'path'>, params: unknown): string {
  const values = new Map(entriesOf(params))
  return route.path.replace(/:(\w+)/g, (_, name: string) => segmentOf(String(values.get(name) ?? '')))
}

/** A parameter that can be no part of an address. */
export class UnusableParameter extends Error {
  override readonly name = 'UnusableParameter'
}

/** Throws UnusableParameter for a value that would make an address another one: fetch resolves dots, encoded ones too. */
function segmentOf(value: string): string {
  if (value !== '' && value !== '.' && value !== '..') return encodeURIComponent(value)
  throw new UnusableParameter(`"${value}" is neither a name nor an id.`)
}

/** The fields of an object; empty for other values. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
