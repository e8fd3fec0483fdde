import type { FastifyInstance, FastifyRequest } from 'fastify'
import { platformProblem } from '#platform/problems'
import { parseJsonStrictly } from './strict-json.ts'

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json(?:;|$)/i

/** Bodies are strict JSON in UTF-8; every other type of content is refused, unless a route reads it itself. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      if (body.length === 0 && takesNone(request)) return done(null)
      requireUtf8(request.headers['content-type'] ?? '')
      done(null, parseJsonStrictly(Buffer.isBuffer(body) ? body : Buffer.from(body)))
    } catch (error) {
      done(error instanceof Error ? error : new Error('unreadable'))
    }
  })
}

/** Many clients name a content type with everything they send, also where they send nothing. */
function takesNone(request: FastifyRequest): boolean {
  const validate = request.getValidationFunction('body')
  return validate === undefined || validate(null) === true
}

function requireUtf8(contentType: string): void {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType)?.[1]
  if (charset && !/^utf-?8$/i.test(charset)) {
    throw platformProblem('unsupported_media_type', `Send the body in UTF-8, not in ${charset.slice(0, 40)}.`)
  }
}
