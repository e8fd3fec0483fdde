import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { after, test } from 'node:test'
import { createS3Store } from './s3-store.ts'

const servers: Server[] = []
after(() => {
  for (const server of servers) server.close()
})

/** Answers its address. */
const listen = async (host: string, headers: Record<string, string>, seen: string[]): Promise<string> => {
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.headers.authorization ?? ''}`)
    response.writeHead('location' in headers ? 307 : 200, headers).end()
  })
  servers.push(server)
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  return `http://${host}:${typeof address === 'object' && address ? address.port : 0}`
}

test('a bucket that redirects sends nobody and nothing to another host', async () => {
  const elsewhere: string[] = []
  const asked: string[] = []
  const location = `${await listen('127.0.0.2', {}, elsewhere)}/objects/x`
  const endpoint = await listen('127.0.0.1', { location }, asked)
  const keys = { accessKeyId: 'key', secretAccessKey: 'secret', region: 'us-east-1' }
  const store = createS3Store({ bucket: 'objects', prefix: '', endpoint, ...keys })
  await assert.rejects(store.put('a/b', Buffer.from('bytes of a task')), /307/)
  await assert.rejects(store.get('a/b'), /307/)
  await assert.rejects(store.check(), /307/)
  assert.equal(asked.length, 3)
  assert.deepEqual(elsewhere, [])
})
