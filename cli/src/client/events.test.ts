import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { refuse, startFakeApi } from '../testing/fake-api.ts'
import { Client } from './client.ts'

const RUN = { params: { id: 'r' } }
const STREAM = { 'content-type': 'text/event-stream' }

async function collect(url: string, endsWith?: string): Promise<string[]> {
  const seen: string[] = []
  const client = new Client({ url, token: 't' })
  for await (const { event, data } of client.events(
    runRoutes.followRun,
    RUN,
    endsWith === undefined ? {} : { endsWith },
  )) {
    seen.push(`${event} ${JSON.stringify(data)}`)
  }
  return seen
}

describe('server-sent events', () => {
  test('are read across chunks, characters of several bytes included', async () => {
    await using api = await startFakeApi((_request, response) => {
      response.writeHead(200, STREAM)
      const bytes = Buffer.from('id: 1\nevent: line\ndata: {"line":"grüße"}\n\n: ping\n\ndata: plain\n\n')
      response.write(bytes.subarray(0, 36))
      response.end(bytes.subarray(36))
    })
    assert.deepEqual(await collect(api.url), ['line {"line":"grüße"}', 'message "plain"'])
  })

  test('go on after a broken connection, from the last id that arrived', async () => {
    await using api = await startFakeApi(({ headers }, response) => {
      response.writeHead(200, STREAM)
      if (headers['last-event-id'] === undefined) {
        response.write('id: 7\ndata: 1\n\n', () => response.destroy())
      } else response.end(`id: 8\ndata: "after ${headers['last-event-id']}"\n\nevent: end\ndata: {}\n\n`)
    })
    assert.deepEqual(await collect(api.url, 'end'), ['message 1', 'message "after 7"', 'end {}'])
  })

  test('a refusal is final', async () => {
    await using api = await startFakeApi((_request, response) => refuse(response, 404, 'not_found', 'No such run.'))
    await assert.rejects(collect(api.url, 'end'), { status: 404, message: 'No such run.' })
    assert.equal(api.seen.length, 1)
  })

  test('end quietly when nobody listens any more', async () => {
    await using api = await startFakeApi((_request, response) => {
      response.writeHead(200, STREAM)
      response.write('data: 1\n\n')
    })
    const stop = new AbortController()
    const seen: unknown[] = []
    const client = new Client({ url: api.url, token: undefined })
    for await (const { data } of client.events(runRoutes.followRun, RUN, { signal: stop.signal })) {
      seen.push(data)
      stop.abort()
    }
    assert.deepEqual(seen, [1])
  })
})
