import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bridge } from './bridge.ts'
import { splitLines } from './split-lines.ts'

const request = (id: number, method = 'tools/call'): string => JSON.stringify({ jsonrpc: '2.0', id, method })
const asAnswer = (id: number): Response => Response.json({ jsonrpc: '2.0', id, result: {} })

/** A client whose next message is written when the test says so. */
function aClient() {
  const queue = new TransformStream<string, string>()
  const writer = queue.writable.getWriter()
  return { lines: queue.readable, say: (line: string) => writer.write(line), end: () => writer.close() }
}

test('many requests are in flight, and each is answered when its answer comes', async () => {
  const open = new Map<number, PromiseWithResolvers<Response>>([1, 2, 3].map((id) => [id, Promise.withResolvers()]))
  const order = [3, 1, 2]
  const written: number[] = []
  const { lines, say, end } = aClient()
  const done = bridge({
    lines,
    write(message) {
      written.push(JSON.parse(message).id)
      answerNext()
    },
    post(message) {
      const id: number = JSON.parse(message).id
      // All three have arrived before the first is answered, and each answer brings the next.
      if (id === 3) answerNext()
      return open.get(id)?.promise ?? Promise.reject(new Error(message))
    },
  })
  const answerNext = (): void => {
    const id = order.shift()
    if (id !== undefined) open.get(id)?.resolve(asAnswer(id))
  }
  for (const id of [1, 2, 3]) await say(request(id))
  await end()
  await done
  assert.deepEqual(written, [3, 1, 2])
})

test('a request that the client cancels ends at the endpoint, and gets no answer', async () => {
  const written: string[] = []
  const sent: string[] = []
  const { lines, say, end } = aClient()
  const done = bridge({
    lines,
    write: (message) => void written.push(message),
    post: (message, _headers, signal) => {
      sent.push(JSON.parse(message).method)
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  })
  await say(request(1))
  await say(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }))
  await end()
  await done
  assert.deepEqual([written, sent], [[], ['tools/call']])
})

test('what only listens ends with the client', async () => {
  const { lines, say, end } = aClient()
  const written: string[] = []
  const done = bridge({
    lines,
    write: (message) => void written.push(message),
    post: (_message, _headers, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  })
  await say(request(1, 'subscriptions/listen'))
  await end()
  await done
  assert.deepEqual(written, [])
})

test('only a line break ends a message, wherever the chunks are cut', async () => {
  const text = '{"a":"\u2028\u0085ü"}\r\n\n{"b":1}'
  const bytes = Buffer.from(text)
  async function* cut() {
    for (const byte of bytes) yield Uint8Array.of(byte)
  }
  const lines: string[] = []
  for await (const line of splitLines(cut())) lines.push(line)
  assert.deepEqual(lines, ['{"a":"\u2028\u0085ü"}\r', '', '{"b":1}'])
  async function* endless() {
    for (;;) yield new Uint8Array(1024 * 1024).fill(97)
  }
  await assert.rejects(splitLines(endless()).next(), /longer than/)
})
