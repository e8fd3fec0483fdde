import { createHmac, timingSafeEqual } from 'node:crypto'
import Fastify from 'fastify'

// The ingress is measured against this server: Fastify that verifies the same HMAC and parses the body, and stores
// nothing. Started as a child process; says its port to the parent and ends with it.

const secret = process.argv[2] ?? ''
const app = Fastify({ logger: false, bodyLimit: 25 * 1024 * 1024 })
app.removeAllContentTypeParsers()
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.post('/', async (request, reply) => {
  const body = request.body
  const given = Buffer.from(String(request.headers['x-hub-signature-256'] ?? ''))
  if (!Buffer.isBuffer(body)) return reply.code(400).send({ status: 'unreadable' })
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return reply.code(401).send({ status: 'rejected' })
  }
  const payload: unknown = JSON.parse(body.toString('utf8'))
  const known = typeof payload === 'object' && payload !== null && 'repository' in payload
  return reply.code(known ? 200 : 400).send({ status: 'ignored' })
})
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
process.send?.(typeof address === 'object' && address ? address.port : 0)
process.on('disconnect', () => process.exit(0))
