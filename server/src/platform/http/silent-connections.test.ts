import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { watchSilentConnections } from './silent-connections.ts'

test('a connection that never asked anything does not hold up a stop', async () => {
  const server = createServer((_request, response) => response.end('x'))
  const silent = watchSilentConnections(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const accepted = new Promise((resolve) => server.once('connection', resolve))
  const socket = connect(port, '127.0.0.1')
  await accepted
  const closed = new Promise((resolve) => server.close(resolve))
  silent.destroy()
  await closed
  socket.destroy()
  assert.equal(server.listening, false)
})
