import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConnectionStore } from './connection.ts'
import { LiveStream } from './live-stream.ts'

/** As the browser's own, as far as the stream uses it. */
class FakeSource {
  static readonly CLOSED = 2
  readonly url: string
  readyState = 0
  readonly #listeners = new Map<string, () => void>()

  constructor(address: URL) {
    this.url = address.href
    opened.push(this)
  }

  addEventListener(kind: string, listener: () => void): void {
    this.#listeners.set(kind, listener)
  }

  close(): void {
    this.readyState = FakeSource.CLOSED
  }

  happen(kind: string): void {
    this.#listeners.get(kind)?.()
  }

  refuse(): void {
    this.close()
    this.happen('error')
  }
}

let opened: FakeSource[] = []
let refusal: Response
let end: () => void
let stream: LiveStream
let connection: ConnectionStore

beforeEach(() => {
  vi.useFakeTimers()
  opened = []
  vi.stubGlobal('document', {
    hidden: false,
    baseURI: 'http://127.0.0.1/',
    addEventListener() {},
    removeEventListener() {},
  })
  vi.stubGlobal('BroadcastChannel', undefined)
  vi.stubGlobal('EventSource', FakeSource)
  vi.stubGlobal('fetch', async () => refusal.clone())
  connection = new ConnectionStore()
  stream = new LiveStream(connection)
  end = stream.open()
})

afterEach(() => {
  end()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function refuseWith(status: number, headers: Record<string, string>): void {
  refusal = new Response(JSON.stringify({ code: 'live.too_many_streams', detail: 'Too many.' }), { status, headers })
  opened.at(-1)?.refuse()
}

async function follow(topic: string): Promise<void> {
  stream.listen([topic], () => undefined)
  await vi.advanceTimersByTimeAsync(50)
}

test('a stream that is refused with 429 is not asked for again before its Retry-After', async () => {
  await follow('runs:acme')
  expect(opened.length).toBe(1)
  refuseWith(429, { 'retry-after': '10' })
  await vi.advanceTimersByTimeAsync(5000)
  // What else would open one waits, too.
  await follow('run:1')
  await vi.advanceTimersByTimeAsync(4900)
  expect(opened.length).toBe(1)
  await vi.advanceTimersByTimeAsync(100)
  expect(opened.length).toBe(2)
  expect(opened[1]?.url).toContain(encodeURIComponent('run:1,runs:acme'))
})

test('the wait is over once a stream was let in, and each refusal has its own', async () => {
  await follow('runs:acme')
  refuseWith(429, { 'retry-after': '3' })
  await vi.advanceTimersByTimeAsync(3000)
  opened.at(-1)?.happen('ready')
  refuseWith(429, { 'retry-after': '20' })
  await vi.advanceTimersByTimeAsync(19_900)
  expect(opened.length).toBe(2)
  await vi.advanceTimersByTimeAsync(100)
  expect(opened.length).toBe(3)
})

test('without one, and for other refusals, the page is back within its usual pause', async () => {
  await follow('runs:acme')
  refuseWith(429, {})
  await vi.advanceTimersByTimeAsync(2500)
  expect(opened.length).toBe(2)
  refuseWith(503, { 'retry-after': '30' })
  await vi.advanceTimersByTimeAsync(2500)
  expect(opened.length).toBe(3)
})

test('no answer to the question why holds the page no longer than its longest pause', async () => {
  await follow('runs:acme')
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  opened.at(-1)?.refuse()
  await vi.advanceTimersByTimeAsync(2600)
  expect(opened.length).toBe(2)
})

/** Answers why a stream was refused when the test says so. */
function answerLater(): (answer: Response) => void {
  const { promise, resolve } = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => promise)
  return resolve
}

function tooMany(seconds: number): Response {
  return new Response('{}', { status: 429, headers: { 'retry-after': String(seconds) } })
}

test('a late answer says nothing of the stream that was let in meanwhile', async () => {
  await follow('runs:acme')
  const answer = answerLater()
  opened.at(-1)?.refuse()
  await vi.advanceTimersByTimeAsync(2600)
  opened.at(-1)?.happen('ready')
  answer(tooMany(60))
  await vi.advanceTimersByTimeAsync(0)
  expect(connection.state.isPutOff).toBe(false)
  await follow('run:1')
  expect(opened.length).toBe(3)
})

test('an answer that another one overtook counts not', async () => {
  await follow('runs:acme')
  const first = answerLater()
  opened.at(-1)?.refuse()
  await vi.advanceTimersByTimeAsync(2600)
  const second = answerLater()
  opened.at(-1)?.refuse()
  second(tooMany(3))
  await vi.advanceTimersByTimeAsync(0)
  first(tooMany(500))
  await vi.advanceTimersByTimeAsync(3000)
  expect(opened.length).toBe(3)
})

test('an answer to a page that shows nothing any more counts not', async () => {
  await follow('runs:acme')
  const answer = answerLater()
  opened.at(-1)?.refuse()
  vi.stubGlobal('document', { ...document, hidden: true })
  await vi.advanceTimersByTimeAsync(1000)
  answer(tooMany(60))
  await vi.advanceTimersByTimeAsync(0)
  expect(connection.state.isPutOff).toBe(false)
})

test('the pause begins with the refusal, however late its answer is', async () => {
  await follow('runs:acme')
  for (let refused = 0; refused < 3; refused += 1) {
    refuseWith(503, {})
    await vi.advanceTimersByTimeAsync(2500)
  }
  const answer = answerLater()
  opened.at(-1)?.refuse()
  await vi.advanceTimersByTimeAsync(2400)
  answer(new Response('{}', { status: 503 }))
  await vi.advanceTimersByTimeAsync(100)
  expect(opened.length).toBe(5)
})

test('a wait without measure is cut', async () => {
  await follow('runs:acme')
  refuseWith(429, { 'retry-after': '1000000' })
  await vi.advanceTimersByTimeAsync(600_000)
  expect(opened.length).toBe(2)
})

test('whoever signs out opens no stream any more', async () => {
  await follow('runs:acme')
  connection.leaving(true)
  opened.at(-1)?.refuse()
  await vi.advanceTimersByTimeAsync(10_000)
  expect([opened.length, connection.state.isSignedOut]).toEqual([1, false])
})
