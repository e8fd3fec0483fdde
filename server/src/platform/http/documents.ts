import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/** The plug-in wants a document at the start; the page shows that of `describe`. */
const NOT_YET = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} }

/** The product's sign and name: without one the page shows those of the library. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 148 32" height="32"><rect width="32" height="32" rx="6"
fill="#0b5cad"/><path d="M8 22 16 8l8 14" fill="none" stroke="#fff" stroke-width="3"/><circle cx="16" cy="22" r="3"
fill="#fff"/><text x="42" y="22" font-family="sans-serif" font-size="19" font-weight="600" fill="#fff">Signalbox</text></svg>`

/** The page is a library's, with styles and pictures inside its scripts. */
const OF_THE_DOCUMENTATION = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Serves the OpenAPI document of all routes at /v1/openapi.json, and a page that renders it at /docs/api. `describe` makes
 * the document, which takes 50 ms: it is asked when somebody reads.
 */
export async function serveDocuments(app: FastifyInstance, describe: () => object): Promise<void> {
  let text: string | undefined
  await app.register(async (scope) => {
    scope.get('/v1/openapi.json', async (_request, reply) => {
      text ??= JSON.stringify(describe())
      return reply.type('application/json; charset=utf-8').send(text)
    })
    await scope.register(swagger, { mode: 'static', specification: { document: NOT_YET } })
    await scope.register(swaggerUi, {
      routePrefix: '/docs/api',
      staticCSP: OF_THE_DOCUMENTATION,
      theme: { title: 'Signalbox API' },
      logo: { type: 'image/svg+xml', content: Buffer.from(LOGO) },
      uiConfig: { docExpansion: 'none', deepLinking: true },
      transformSpecification: describe,
      transformSpecificationClone: false,
    })
  })
}
