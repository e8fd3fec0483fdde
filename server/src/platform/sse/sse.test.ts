import assert from 'node:assert/strict'
import { test } from 'node:test'
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
