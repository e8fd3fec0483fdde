import type { FastifySchema } from 'fastify'
import { Type } from 'typebox'
import { type Route, takesIdempotencyKey } from './route.ts'

export interface OpenApiInfo {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly components: {
    readonly securitySchemes: { readonly bearer: { readonly type: 'http'; readonly scheme: 'bearer' } }
  }
}

/** RFC 9457 with the members that every problem of ours has. */
export const ProblemBody = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String({ description: 'A sentence that tells the caller what to do.' }),
  code: Type.String({ description: 'Stable; never changes its meaning.' }),
  request_id: Type.String(),
  errors: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }))),
})

const KEY_TEXT = ' With an `Idempotency-Key` header it is done once per key and caller for 24 hours.'

/** One description gives Fastify its validation and serialisation, and the OpenAPI document its operation. */
export function openApiSchema(route: Route): FastifySchema {
  const { params, query, body } = route.schema ?? {}
  return {
    ...(params ? { params } : {}),
    ...(query ? { querystring: query } : { querystring: Type.Object({}, { additionalProperties: false }) }),
    ...(body ? { body } : {}),
    summary: route.summary,
    tags: [route.tag],
    description: `${describeClass(route)}${takesIdempotencyKey(route) ? KEY_TEXT : ''}`,
    security: route.class === 'public' ? [] : [{ bearer: [] }],
    response: { ...answers(route), ...problemAnswers(route) },
  }
}

function describeClass(route: Route): string {
  if (route.class === 'public') return 'Public: no bearer token.'
  if (route.class === 'authenticated') return 'Authenticated: any valid bearer token.'
  return `Authorized: needs the permission \`${route.permission}\`.`
}

function answers(route: Route): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, shape]) => {
      if (shape === 'empty') return [status, { description: 'No content', type: 'null' }]
      if (shape === 'stream')
        return [status, { description: 'A stream', content: { 'text/event-stream': { schema: { type: 'string' } } } }]
      if (shape === 'text')
        return [status, { description: 'Text', content: { 'text/plain': { schema: { type: 'string' } } } }]
      return [status, shape]
    }),
  )
}

function problemAnswers(route: Route): Record<string, unknown> {
  const statuses = new Set([400, 500, 503, ...(route.problems ?? [])])
  // 429: too many invalid tokens from one address.
  if (route.class !== 'public') statuses.add(401).add(429)
  if (takesIdempotencyKey(route)) statuses.add(409)
  if (route.class === 'authorized') statuses.add(403)
  if (route.schema?.params) statuses.add(404)
  // A body that comes where none is expected is looked at all the same.
  if (route.method !== 'GET') statuses.add(413).add(415)
  return Object.fromEntries(
    [...statuses]
      .filter((status) => !(status in route.responses))
      .map((status) => [
        status,
        { description: 'A problem (RFC 9457)', content: { 'application/problem+json': { schema: ProblemBody } } },
      ]),
  )
}
