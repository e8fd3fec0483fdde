import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXIT_CODES } from '../exit-codes.ts'
import { stage } from '../testing/stage.ts'

const events = [
  'event: ready\nid: e.4\ndata: {}\n\n',
  'event: runs\nid: e.5\ndata: {"topic":"runs:acme","id":"r","change":"created"}\n\n',
  'event: closed\ndata: {"code":"forbidden","status":403,"detail":"No more."}\n\n',
]

test('live prints a line for each event, goes on where a stream broke, and ends with the right', async () => {
  const asked: (string | undefined)[] = []
  await using here = await stage(({ headers }, response) => {
    asked.push([headers['last-event-id']].flat()[0])
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(asked.length === 1 ? events.slice(0, 2).join('') : events[2])
  })
  const { code, out } = await here.run(['live', '--topics', 'runs:acme,runners'])
  assert.equal(code, EXIT_CODES.refused.code)
  assert.deepEqual(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [
      { event: 'ready' },
      { event: 'runs', topic: 'runs:acme', id: 'r', change: 'created' },
      { event: 'closed', code: 'forbidden', status: 403, detail: 'No more.' },
    ],
  )
  assert.deepEqual(asked, [undefined, 'e.5'])
  assert.match(here.api.seen[0]?.path ?? '', /topics=runs%3Aacme%2Crunners/)
})
