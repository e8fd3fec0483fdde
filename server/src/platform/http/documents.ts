import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/** Serves the OpenAPI document of all routes at /v1/openapi.json, and a page that renders it at /docs/api. */
export async function serveDocuments(app: FastifyInstance): Promise<void> {
  app.get('/v1/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  await app.register(swaggerUi, { routePrefix: '/docs/api', uiConfig: { docExpansion: 'none', deepLinking: true } })
}
