import { createServer } from 'node:http'
import { createNodeMiddleware, Webhooks } from '@octokit/webhooks'

// The ingress is measured against this middleware, which most Node programs use for GitHub's webhooks. The server
// verifies and parses, calls one handler that does nothing, and stores nothing. Says its port to the parent and ends
// with it.

const webhooks = new Webhooks({ secret: process.argv[2] ?? '' })
webhooks.on('push', () => undefined)
const server = createServer(createNodeMiddleware(webhooks, { path: '/' }))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' && address ? address.port : 0)
})
process.on('disconnect', () => process.exit(0))
