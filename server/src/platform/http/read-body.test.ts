import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { Problem } from '#platform/problems'
import { createByteBudget, readBody } from './read-body.ts'

describe('bodies that are read at the same time', () => {
  const budget = createByteBudget(150)
  const server = createServer((message, response) => {
    readBody(message, 1000, budget).then(
      (body) => response.end(String(body.length)),
      (error: unknown) => response.writeHead(error instanceof Problem ? error.status : 500).end(),
    )
  })
  let url = ''
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const post = async () => {
    const response = await fetch(url, { method: 'POST', body: 'x'.repeat(100), headers: { connection: 'close' } })
    return [response.status, await response.text()]
  }

  test('may hold so many bytes together: one more is 503, and what is done makes room', async () => {
    assert.equal(budget.take(100), true, 'another request is sending')
    assert.deepEqual(await post(), [503, ''])
    budget.giveBack(100)
    assert.deepEqual(await post(), [200, '100'])
    assert.equal(budget.take(150), true, 'everything was given back')
  })
})
