import type { AnswerBody, AnswerShape, Operation, PartOf, Shapes } from '@signalbox/contracts/http/routes'
import { type TSchema, Type } from 'typebox'
import type { Answer, Route, RouteRequest } from './route.ts'

interface Parts<O> {
  readonly params: PartOf<O, 'params'>
  readonly query: PartOf<O, 'query'>
  readonly body: PartOf<O, 'body'>
}

/** A request of a stated route, validated. */
export type RequestOf<O> = Omit<RouteRequest, keyof Parts<O>> & Parts<O>

/** The answers that the statement of a route allows. */
export type AnswerOf<O> =
  O extends Operation<infer S, infer R>
    ? { [Status in keyof R['answers']]: Answer<Status, AnswerBody<S, R['answers'][Status]>> }[keyof R['answers']]
    : never

export type Handlers<O> = { readonly [Name in keyof O]: (request: RequestOf<O[Name]>) => Promise<AnswerOf<O[Name]>> }

/**
 * Serves stated routes: `serve(profileRoutes, shapes, { listProfiles: async (request) => ... })`. `shapes` is the module
 * of contracts that holds the shapes which the statements name. A route without a handler does not compile.
 */
export function serve<const O extends Readonly<Record<string, Operation>>>(
  operations: O,
  shapes: Shapes,
  handlers: Handlers<O>,
): Route[]
export function serve(operations: Readonly<Record<string, Operation>>, shapes: Shapes, handlers: object): Route[] {
  const handles = new Map<string, Route['handle']>(Object.entries(handlers))
  return Object.entries(operations).map(([name, operation]) => {
    const handle = handles.get(name)
    if (!handle) throw new Error(`${name} has no handler`)
    const { params, query, body, answers, ...rest } = operation
    const admission = 'permission' in rest ? { ...rest, class: 'authorized' as const } : rest
    return {
      ...admission,
      name,
      shapes,
      handle,
      schema: schemasOf(shapes, { params, query, body }),
      responses: answersOf(shapes, answers),
    }
  })
}

function schemasOf(
  shapes: Shapes,
  names: Readonly<Record<'params' | 'query' | 'body', string | undefined>>,
): NonNullable<Route['schema']> {
  const named = Object.entries(names).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(named.map(([part, name]) => [part, shapeOf(shapes, name)]))
}

function answersOf(shapes: Shapes, answers: Readonly<Record<number, AnswerShape>>): Route['responses'] {
  return Object.fromEntries(
    Object.entries(answers).map(([status, shape]) => {
      if (shape === 'empty' || shape === 'stream' || shape === 'text') return [status, shape]
      return [status, typeof shape === 'string' ? shapeOf(shapes, shape) : listOf(shapes, shape[0])]
    }),
  )
}

function listOf(shapes: Shapes, name: string): TSchema {
  return Type.Array(shapeOf(shapes, name))
}

function shapeOf(shapes: Shapes, name: string): TSchema {
  const shape = shapes[name]
  if (!isSchema(shape)) throw new Error(`contracts have no shape ${name}`)
  return shape
}

/** Whether a value that a module of contracts exports is a schema. */
export function isSchema(value: unknown): value is TSchema {
  // Type.IsSchema takes any object for one.
  return Type.IsSchema(value) && '~kind' in value
}
