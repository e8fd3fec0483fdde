import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createTestClock, until } from '#platform/testing'
import { systemClock } from '#platform/time'
import { eventStream } from './index.ts'

test('events are framed with id and kind, a line break in the data cannot end a frame', async () => {
  async function* events() {
    yield { event: 'log', id: '0-1', data: { line: 'a\n\nb' } }
    yield { data: 'plain' }
  }
  let text = ''
  const stream = eventStream(events(), { clock: systemClock, signal: new AbortController().signal })
  for await (const chunk of stream) text += String(chunk)
  assert.equal(text, 'retry: 3000\n\nevent: log\nid: 0-1\ndata: {"line":"a\\n\\nb"}\n\ndata: "plain"\n\n')
})

test('the generator is ended when the client goes away', async () => {
  const gone = new AbortController()
  let made = 0
  let ended = false
  async function* events() {
    try {
      for (;;) yield { data: made++ }
    } finally {
      ended = true
    }
  }
  let text = ''
  const stream = eventStream(events(), { clock: systemClock, signal: gone.signal })
  for await (const chunk of stream) {
    text += String(chunk)
    if (text.includes('data: 0')) gone.abort()
  }
  assert.ok(ended)
  const sent = text.match(/^data: /gm)?.length ?? 0
  assert.ok(sent > 0 && sent <= made && made <= sent + 1, `${made} events were made, ${sent} were sent`)
})

test('a client that takes nothing holds the generator back, and loses its connection after two minutes', async () => {
  const clock = createTestClock()
  let made = 0
  let isEnded = false
  async function* events() {
    try {
      for (;;) yield { data: 'x'.repeat(64 * 1024), number: made++ }
    } finally {
      isEnded = true
    }
  }
  const stream = eventStream(events(), { clock, signal: new AbortController().signal })
  stream.read(0)
  await once(stream, 'readable')
  const closed = once(stream, 'close')
  await clock.advance(60_000)
  assert.ok(!stream.destroyed)
  await clock.advance(60_000)
  await closed
  await until(
    'the generator to be ended',
    () => isEnded,
    (ended) => ended,
  )
  assert.ok(made <= 3, `${made} events were made for nobody`)
})
