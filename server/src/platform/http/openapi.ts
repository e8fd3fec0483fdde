import * as shared from '@signalbox/contracts/http'
import type { TSchema } from 'typebox'
import { ProblemBody } from './problem-body.ts'
import { type Route, takesIdempotencyKey } from './route.ts'
import { isSchema } from './serve.ts'

export interface OpenApiInfo {
  readonly title: string
  readonly version: string
  readonly description: string
}

/** The OpenAPI 3.1 document of all routes. Throws where two modules of contracts call different shapes by one name. */
export function openApiDocument(info: OpenApiInfo, routes: readonly Route[]): Readonly<Record<string, unknown>> {
  const names = nameShapes(new Set([shared, ...routes.map(({ shapes }) => shapes)]))
  const used = new Map<string, unknown>()
  const refer = (schema: unknown): unknown => referTo(schema, names, used)
  const paths: Record<string, Record<string, unknown>> = {}
  const documented = routes.filter(({ undocumented }) => !undocumented)
  for (const route of documented) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, refer) }
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { session: [] }],
    tags: tagsOf(documented),
    paths,
    components: {
      schemas: Object.fromEntries([['Problem', ProblemBody], ...[...used].sort(([a], [b]) => (a < b ? -1 : 1))]),
      responses: {
        Problem: problemAnswer('A problem (RFC 9457)'),
        OfAnyRoute: problemAnswer(`What any route may answer: ${OF_ANY_ROUTE.join(', ')}`),
        OfPublicRoute: problemAnswer(`What any public route may answer: ${OF_PUBLIC_ROUTE.join(', ')}`),
      },
      parameters: { ...PAGE_PARAMETERS, IdempotencyKey: IDEMPOTENCY_KEY },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, session: SESSION },
    },
  }
}

/** A body that comes where none is expected is looked at all the same: 413, 415. */
const OF_PUBLIC_ROUTE = [400, 413, 415, 500, 503]
/**
 * 429: too many invalid tokens from one address. 403: an authenticated route may ask for a permission on what its query
 * or body names.
 */
const OF_ANY_ROUTE = [...OF_PUBLIC_ROUTE, 401, 403, 429].sort((a, b) => a - b)

function problemAnswer(description: string): object {
  return {
    description,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  }
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'With it the request is done once per key and caller for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/** What nearly every list takes: written once, the document stays small enough for a tool to read at once. */
const PAGE_PARAMETERS = {
  Limit: parameterOf('query', 'limit', { required: false, schema: shared.pageQuery.limit }),
  Cursor: parameterOf('query', 'cursor', { required: false, schema: shared.pageQuery.cursor }),
}

const SESSION = {
  type: 'apiKey',
  in: 'cookie',
  name: 'session',
  description:
    'Set by `POST /v1/sessions`; `__Host-session` over HTTPS. A write counts only from a page of the service. Beside a bearer token the cookie is not read.',
}

/** With the codes of problems that routes of the tag may answer: routes of one room share them, so they stand here once. */
function tagsOf(routes: readonly Route[]): unknown[] {
  return [...Map.groupBy(routes, ({ tag }) => tag)].map(([name, group]) => {
    const codes = new Set(group.flatMap(({ problems = [] }) => problems.map(({ code }) => code)))
    return { name, ...(codes.size === 0 ? {} : { 'x-problem-codes': [...codes] }) }
  })
}

type Refer = (schema: unknown) => unknown

function operationOf(route: Route, refer: Refer): Readonly<Record<string, unknown>> {
  const { params, query, body } = route.schema ?? {}
  const parameters = [
    ...parametersOf('path', params, refer),
    ...parametersOf('query', query, refer),
    ...(takesIdempotencyKey(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
  return {
    operationId: route.name,
    summary: route.summary,
    description: describeClass(route),
    tags: [route.tag],
    ...(route.class === 'public' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(route, refer(body)) }),
    responses: { ...answersOf(route, refer), ...problemsOf(route) },
  }
}

function describeClass(route: Route): string {
  if (route.class === 'public') return 'Public: no bearer token.'
  if (route.class === 'authenticated') {
    const without = route.limitedTokens === undefined || route.limitedTokens === 'no' ? ' without limits' : ''
    return `Authenticated: any valid bearer token${without}, or session.`
  }
  return `Authorized: needs the permission \`${route.permission}\`.`
}

/** Each property of the schema of a path or a query is one parameter. */
function parametersOf(place: 'path' | 'query', schema: TSchema | undefined, refer: Refer): unknown[] {
  if (!schema || !('properties' in schema)) return []
  const required = 'required' in schema && Array.isArray(schema.required) ? schema.required : []
  return Object.entries(Object(schema.properties)).map(([name, property]) => {
    const isRequired = place === 'path' || required.includes(name)
    return orShared(parameterOf(place, name, { required: isRequired, schema: refer(property) }))
  })
}

function parameterOf(place: 'path' | 'query', name: string, rest: { required: boolean; schema: unknown }): object {
  return { name, in: place, ...rest }
}

function orShared(parameter: object): unknown {
  const text = JSON.stringify(parameter)
  const found = Object.entries(PAGE_PARAMETERS).find(([, one]) => JSON.stringify(one) === text)
  return found ? { $ref: `#/components/parameters/${found[0]}` } : parameter
}

function requestBody(route: Route, schema: unknown): unknown {
  const texts = (route.textBody ?? []).map((type) => [type, { schema: { type: 'string' } }])
  return { required: true, content: { 'application/json': { schema }, ...Object.fromEntries(texts) } }
}

function answersOf(route: Route, refer: Refer): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, shape]) => {
      if (shape === 'empty') return [status, { description: 'No content' }]
      if (shape === 'stream') return [status, contentOf('A stream', 'text/event-stream', { type: 'string' })]
      if (shape === 'text') return [status, contentOf('Text', 'text/plain', { type: 'string' })]
      return [status, contentOf('Success', 'application/json', refer(shape))]
    }),
  )
}

function contentOf(description: string, type: string, schema: unknown): unknown {
  return { description, content: { [type]: { schema } } }
}

/** The problems that are special to a route by name; `default` refers to those that any route of its class may answer. */
function problemsOf(route: Route): Record<string, unknown> {
  const isPublic = route.class === 'public'
  const common = isPublic ? OF_PUBLIC_ROUTE : OF_ANY_ROUTE
  const own = (route.problems ?? []).map(({ status }) => status)
  const special = new Set(own.filter((status) => !common.includes(status)))
  if (route.ownPage && isPublic) special.add(403)
  if (takesIdempotencyKey(route)) special.add(409)
  // 404: what a body or a query names may be hidden, too.
  if (!isPublic || route.schema?.params) special.add(404)
  if (route.schema?.body) special.add(413).add(415)
  return Object.fromEntries([
    ...[...special]
      .filter((status) => !(status in route.responses))
      .map((status) => [status, referToAnswer('Problem')]),
    ['default', referToAnswer(isPublic ? 'OfPublicRoute' : 'OfAnyRoute')],
  ])
}

function referToAnswer(name: string): unknown {
  return { $ref: `#/components/responses/${name}` }
}

/** Smaller ones are written where they stand: a reference would not be shorter. */
const SMALLEST = 60

/** The names that contracts give to shapes, by the text of the shape: an optional field holds a copy of it. */
function nameShapes(modules: ReadonlySet<Readonly<Record<string, unknown>>>): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const texts = new Map<string, string>()
  for (const [name, shape] of [...modules].flatMap((module) => Object.entries(module))) {
    if (!isSchema(shape)) continue
    const text = JSON.stringify(shape)
    if (texts.has(name) && texts.get(name) !== text) throw new Error(`contracts have two shapes ${name}`)
    texts.set(name, text)
    if (text.length >= SMALLEST && !names.has(text)) names.set(text, name)
  }
  return names
}

/** `schema` with a reference in the place of every named shape within it; the referenced shapes go into `used`. */
function referTo(schema: unknown, names: ReadonlyMap<string, string>, used: Map<string, unknown>): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const name = names.get(JSON.stringify(schema))
  if (name === undefined) return referWithin(schema, names, used)
  if (!used.has(name)) {
    // The outer shape comes before its inner ones, which may hold the same text again.
    used.set(name, undefined)
    used.set(name, referWithin(schema, names, used))
  }
  return { $ref: `#/components/schemas/${name}` }
}

function referWithin(schema: object, names: ReadonlyMap<string, string>, used: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((part) => referTo(part, names, used))
  // Whose words a text is concerns those who show it to an agent; the document stays small without it.
  const parts = Object.entries(schema).filter(([key]) => key !== shared.OWN_WORDS)
  return Object.fromEntries(parts.map(([key, part]) => [key, referTo(part, names, used)]))
}
