import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/**
 * Serves the OpenAPI document of all routes at /v1/openapi.json, and a page that renders it at /docs/api. Whoever opens
 * the bare address in a browser is led there.
 */
export async function serveDocuments(app: FastifyInstance, document: object): Promise<void> {
  const text = JSON.stringify(document)
  await app.register(async (scope) => {
    // These answers do not go through `send`, which names the request for every other one.
    scope.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
    scope.get('/v1/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
    scope.get('/', async (_request, reply) => reply.redirect('/docs/api'))
    await scope.register(swagger, { mode: 'static', specification: { document: JSON.parse(text) } })
    await scope.register(swaggerUi, {
      routePrefix: '/docs/api',
      theme: { title: 'Signalbox API' },
      uiConfig: { docExpansion: 'none', deepLinking: true },
    })
  })
}
