import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/** The plug-in wants a document at the start; the page shows that of `describe`. */
const NOT_YET = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} }

/**
 * Serves the OpenAPI document of all routes at /v1/openapi.json, and a page that renders it at /docs/api. A browser that
 * opens the bare address is led there. `describe` makes the document, which takes 50 ms: it is asked when somebody reads.
 */
export async function serveDocuments(app: FastifyInstance, describe: () => object): Promise<void> {
  let text: string | undefined
  await app.register(async (scope) => {
    // These answers do not go through `send`, which sets the request's id on every other answer.
    scope.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
    scope.get('/v1/openapi.json', async (_request, reply) => {
      text ??= JSON.stringify(describe())
      return reply.type('application/json; charset=utf-8').send(text)
    })
    scope.get('/', async (_request, reply) => reply.redirect('/docs/api'))
    await scope.register(swagger, { mode: 'static', specification: { document: NOT_YET } })
    await scope.register(swaggerUi, {
      routePrefix: '/docs/api',
      theme: { title: 'Signalbox API' },
      uiConfig: { docExpansion: 'none', deepLinking: true },
      transformSpecification: describe,
      transformSpecificationClone: false,
    })
  })
}
