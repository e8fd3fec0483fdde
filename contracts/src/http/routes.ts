import type { Static, TSchema } from 'typebox'
import type { Permission } from '../access/permissions.ts'

// The statement of a route: what the server serves, and what the command line, the page and tools for agents call. A
// route names its shapes instead of holding them, so that a client reads it without the schema library.

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The shapes of a room by name: `import type * as shapes from './index.ts'`. */
export type Shapes = Readonly<Record<string, unknown>>

/** The names of the shapes that are schemas. */
export type ShapeName<S extends Shapes> = { [K in keyof S]: S[K] extends TSchema ? K : never }[keyof S] & string

/** The answer of one status: a shape, a list of it, or a form that is no JSON. */
export type AnswerShape<Name extends string = string> = Name | readonly [Name] | 'empty' | 'stream' | 'text'

/**
 * Public: nobody is authenticated; protected by other means. Authenticated: any valid token or session. A permission: a valid token or session
 * whose owner holds that permission on the resource itself; the table is at `/v1/auth/permissions`.
 */
export type Admission =
  | { readonly class: 'public' }
  | { readonly class: 'authenticated'; readonly limitedTokens: LimitedTokens }
  | {
      readonly permission: Permission
      /** Reachable while first-install setup is locked. */
      readonly whileLocked?: true
      /** Default: `ask` for a GET, else `act`. */
      readonly limitedTokens?: LimitedTokens
    }

/**
 * What a token with limits may do with a route. `ask`: the route changes nothing, so a read-only token may use it, too. `act`:
 * the route writes no more than the limits allow. `no`: it is for the owner alone.
 */
export type LimitedTokens = 'ask' | 'act' | 'no'

/** One route; `Name` is a name of a shape. */
export type Route<Name extends string = string> = Admission & {
  readonly method: Method
  /** The path, such as `/v1/runs/:id`. */
  readonly path: string
  /** One sentence, without its full stop. */
  readonly summary: string
  /** The heading that the API document lists it under. */
  readonly tag: string
  readonly params?: Name
  readonly query?: Name
  readonly body?: Name
  /** The answers by status; undeclared fields are not sent. Problems need no entry. */
  readonly answers: Readonly<Record<number, AnswerShape<Name>>>
  /** The body is not parsed: the handler reads it when it has decided that it wants it. */
  readonly rawBody?: true
  /** Further content types that arrive as text in `body`, such as application/yaml. */
  readonly textBody?: readonly string[]
  /** Sets the cookie of a session, so a browser may send it from our own pages alone. */
  readonly ownPage?: true
  /** The handler may wait for long: the right of the caller is judged again meanwhile, and `signal` ends the wait. */
  readonly waits?: true
  /** Not a part of the public API: the OpenAPI document leaves it out. */
  readonly undocumented?: true
}

/**
 * A stated route and, for the compiler alone, the shapes that it names. The operation's key among the others is its
 * `operationId`.
 */
export type Operation<S extends Shapes = Shapes, R extends Route = Route> = R & { readonly shapes?: S }

/** The value of the shape of this name. */
export type ValueOf<S extends Shapes, Name> = Name extends keyof S
  ? S[Name] extends TSchema
    ? Static<S[Name]>
    : never
  : never

/** Stated routes by their `operationId`. */
export type Operations<S extends Shapes, R extends Readonly<Record<string, Route>>> = {
  readonly [K in keyof R]: Operation<S, R[K]>
}

/** The value of the path, the query or the body; undefined where the route takes none. */
export type PartOf<O, Part extends 'params' | 'query' | 'body'> =
  O extends Operation<infer S, infer R>
    ? R extends { readonly [K in Part]: infer Name }
      ? ValueOf<S, Name>
      : undefined
    : never

/** The body of a status. */
export type AnswerBody<S extends Shapes, A> = A extends readonly [infer Name]
  ? readonly ValueOf<S, Name>[]
  : A extends 'empty'
    ? undefined
    : A extends 'stream' | 'text'
      ? unknown
      : ValueOf<S, A>

/** The body of a success, whichever status it has. */
export type SuccessOf<O> =
  O extends Operation<infer S, infer R>
    ? { [Status in keyof R['answers']]: AnswerBody<S, R['answers'][Status]> }[keyof R['answers']]
    : never

/**
 * States routes: `routesOf<typeof shapes>()({ listProfiles: { ... } })`. The name of a shape that does not exist does not
 * compile.
 */
export function routesOf<S extends Shapes>(): <const R extends Readonly<Record<string, Route<ShapeName<S>>>>>(
  routes: R,
) => Operations<S, R>
export function routesOf(): (routes: Readonly<Record<string, Route>>) => Readonly<Record<string, Route>> {
  return (routes) => routes
}
