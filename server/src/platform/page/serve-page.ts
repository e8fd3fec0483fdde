import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Page } from './page.ts'
import { filePolicy, pagePolicy } from './policy.ts'

/** Flat names with a digest and one of these ends: neither a path, a hidden file nor a source map matches. */
const ASSET = '/assets/:file(^[\\w-][\\w.-]*\\.(?:js|css|woff2|svg|png|webp|wasm)$)'
/** Files beside the document, which keep their names from build to build. */
const FILE = '/:file(^[\\w-]+\\.(?:js|css|svg|png|ico|txt|webmanifest)$)'
const YEAR_MS = 365 * 24 * 3_600_000
const UNBUILT =
  '<!doctype html><html lang="en"><title>Signalbox</title><p>The web page is not built yet: run <code>npm run build</code> in the folder of Signalbox, then load this page again.</p></html>'

interface FileParams {
  readonly file: string
}

/**
 * Serves the page at `/` and its files. The document is never stored, so that each has a nonce of its own and names the
 * files of the newest build; files with a digest in their name are stored for ever.
 */
export async function servePage(app: FastifyInstance, page: Page): Promise<void> {
  await app.register(async (scope) => {
    // No part of a file is ever asked for by a browser: a range gets the whole.
    const serving = { preCompressed: true, acceptRanges: false, dotfiles: 'deny', index: false } as const
    await scope.register(fastifyStatic, { serve: false, ...serving })

    scope.get('/', async (_request, reply) => {
      const document = await page.document()
      reply.header('cache-control', 'no-store').type('text/html; charset=utf-8')
      if (document === undefined) return reply.code(503).header('retry-after', '5').send(UNBUILT)
      return reply.header('content-security-policy', pagePolicy(document.nonce)).send(document.html)
    })

    scope.get('/version.json', async (_request, reply) =>
      reply.header('cache-control', 'no-store').send({ version: (await page.version()) ?? null }),
    )

    scope.get<{ Params: FileParams }>(ASSET, (request, reply) => {
      reply.header('content-security-policy', filePolicy)
      return reply.sendFile(`assets/${request.params.file}`, page.folder, { maxAge: YEAR_MS, immutable: true })
    })

    scope.get<{ Params: FileParams }>(FILE, (request, reply) => {
      reply.header('content-security-policy', filePolicy).header('cache-control', 'no-cache')
      return reply.sendFile(request.params.file, page.folder, { cacheControl: false })
    })
  })
}
