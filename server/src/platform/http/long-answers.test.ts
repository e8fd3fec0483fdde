import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, beforeEach, describe, test } from 'node:test'
import { type Problem, platformProblem } from '#platform/problems'
import { eventStream, SSE_HEADERS } from '#platform/sse'
import { createTestClock, createTestHttp, testAuthenticator, testCaller, until } from '#platform/testing'
import { systemClock } from '#platform/time'
import type { Authenticator, Caller } from './caller.ts'
import { createLongAnswers, type LongAnswer } from './long-answers.ts'
import { type Route, type RouteRequest, streamAnswer } from './route.ts'

const reader = testCaller({ acme: ['team.read'] }, { id: 'reader' })
const callers: Record<string, Caller> = {}
const listeners = new Set<() => void>()
let isAvailable = true
let judged = 0
let isAdmitted = true
beforeEach(() => {
  callers['reader'] = reader
  isAvailable = true
  isAdmitted = true
  judged = 0
})

const fixed = testAuthenticator(callers)
const authenticator: Authenticator = {
  ...fixed,
  async authenticateAgain(credentials) {
    judged += 1
    if (!isAvailable) throw platformProblem('authorization_unavailable', 'Nobody knows.')
    return fixed.authenticateAgain(credentials)
  },
  onChange(listener) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
const tellOfChange = (): void => {
  for (const tell of listeners) tell()
}

async function* endlessly(signal: AbortSignal) {
  yield { data: 'first' }
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
}
const events = ({ signal }: RouteRequest): Readable => eventStream(endlessly(signal), { clock: systemClock, signal })
const never = new Readable({ read: () => undefined })
const common = {
  method: 'GET',
  name: 'test',
  summary: 'test',
  tag: 'test',
  shapes: {},
  responses: { 200: 'stream' },
} as const
const routes: Route[] = [
  {
    ...common,
    path: '/v1/events',
    class: 'authorized',
    permission: 'team.read',
    handle: async (request) => {
      if (!request.caller.can('team.read', 'acme/web')) throw platformProblem('forbidden', 'You need team.read.')
      return streamAnswer(events(request), SSE_HEADERS)
    },
  },
  {
    ...common,
    path: '/v1/bytes',
    class: 'authorized',
    permission: 'team.read',
    handle: async ({ caller }) => {
      caller.prefixes('team.read')
      never.push('the first bytes')
      return streamAnswer(never, { 'content-type': 'application/octet-stream', 'content-length': '1000' })
    },
  },
  {
    ...common,
    path: '/v1/transfers',
    class: 'public',
    handle: async (request) => ({
      ...streamAnswer(events(request), SSE_HEADERS),
      admitAgain: async () => {
        if (!isAdmitted) throw platformProblem('unauthenticated', 'The attempt has ended.')
      },
    }),
  },
]
const http = await createTestHttp(routes, authenticator)
const url = `http://127.0.0.1:${await http.listen('127.0.0.1', 0)}`
after(() => http.close(100))

/** Opens a stream and answers at its first event; `end` is the rest of the stream. */
async function open(path: string): Promise<{ end: Promise<string> }> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: 'Bearer reader' } })
  assert.equal(response.status, 200)
  const bytes = response.body?.getReader()
  assert.ok(bytes)
  const decoder = new TextDecoder()
  const next = async (): Promise<string | undefined> => {
    const { done, value } = await bytes.read()
    return done ? undefined : decoder.decode(value)
  }
  for (let text = ''; !text.includes('first'); ) text += (await next()) ?? assert.fail('no first event')
  const rest = async (): Promise<string> => {
    let text = ''
    for (let piece = await next(); piece !== undefined; piece = await next()) text += piece
    return text
  }
  return { end: rest() }
}

describe('an answer that is still being sent', () => {
  const cases: readonly (readonly [string, () => void, string])[] = [
    ['the token is revoked', () => delete callers['reader'], 'unauthenticated'],
    ['the permission is taken away', () => (callers['reader'] = testCaller({}, { id: 'reader' })), 'forbidden'],
    [
      'the permission is now for another team',
      () => (callers['reader'] = testCaller({ other: ['team.read'] }, { id: 'reader' })),
      'forbidden',
    ],
    ['the token is that of another subject', () => (callers['reader'] = testCaller()), 'forbidden'],
    ['nobody can tell who may do what', () => (isAvailable = false), 'authorization_unavailable'],
  ]
  for (const [what, change, code] of cases) {
    test(`ends when ${what}, and its last event says so`, async () => {
      const stream = await open('/v1/events')
      change()
      tellOfChange()
      assert.match(await stream.end, new RegExp(`^(: ping\\n\\n)?event: closed\\ndata: {"code":"${code}",.*\\n\\n$`))
    })
  }

  test('goes on when something else has changed', async () => {
    const stream = await open('/v1/events')
    callers['reader'] = testCaller({ '/': ['team.read', 'other.read'] }, { id: 'reader' })
    tellOfChange()
    await until(
      'a look',
      () => judged,
      (count) => count > 0,
    )
    callers['reader'] = testCaller({}, { id: 'reader' })
    tellOfChange()
    assert.match(await stream.end, /forbidden/)
    assert.ok(judged > 1)
  })

  test('breaks off when it is no stream of events: nobody takes what came for the whole', async () => {
    const stream = await open('/v1/bytes')
    delete callers['reader']
    tellOfChange()
    await assert.rejects(stream.end)
  })

  test('of a public route ends when the route no longer admits it', async () => {
    const stream = await open('/v1/transfers')
    isAdmitted = false
    tellOfChange()
    assert.match(await stream.end, /event: closed\ndata: {"code":"unauthenticated"/)
  })

  test('of a client that reads nothing loses its connection', async () => {
    const flood: Route = {
      ...common,
      path: '/v1/flood',
      class: 'authorized',
      permission: 'team.read',
      handle: async ({ caller, signal }) => {
        caller.can('team.read', 'acme')
        async function* much() {
          for (;;) {
            made++
            yield { data: 'first'.repeat(20_000) }
          }
        }
        const stream = eventStream(much(), { clock: systemClock, signal })
        stream.once('close', () => closed.resolve())
        return streamAnswer(stream, SSE_HEADERS)
      },
    }
    let made = 0
    const closed = Promise.withResolvers<void>()
    const server = await createTestHttp([flood], authenticator)
    const port = await server.listen('127.0.0.1', 0)
    const answer = await fetch(`http://127.0.0.1:${port}/v1/flood`, { headers: { authorization: 'Bearer reader' } })
    delete callers['reader']
    tellOfChange()
    await closed.promise
    const before = made
    await assert.rejects(answer.text(), { message: 'terminated' })
    assert.equal(made, before, 'nothing is made for a connection that was cut')
    await server.close(100)
  })
})

describe('without a notification', () => {
  const clock = createTestClock()
  /** The listeners of these answers alone: a server of another test stops listening only after its rest. */
  const listening = new Set<() => void>()
  const alone: Authenticator = {
    ...authenticator,
    onChange(listener) {
      listening.add(listener)
      return () => void listening.delete(listener)
    },
  }
  const answers = createLongAnswers({ authenticator: alone, clock })
  /** An answer that notes how it ended. */
  const sending = (authorization = 'Bearer reader') => {
    const ended: Problem[] = []
    const answer: LongAnswer = {
      credentials: { kind: 'bearer', authorization },
      isAllowed: (caller) => caller.can('team.read', 'acme'),
      end: (problem) => void ended.push(problem),
    }
    return { ended, sent: answers.add(answer) }
  }

  test('an answer ends within 5 s of its right, also while the answer to the question takes for ever', async () => {
    const hanging = createLongAnswers({
      clock,
      authenticator: { ...alone, authenticateAgain: () => new Promise(() => undefined) },
    })
    const ended: string[] = []
    const answer: LongAnswer = {
      credentials: { kind: 'bearer', authorization: 'Bearer reader' },
      isAllowed: () => true,
      end: ({ code }) => void ended.push(code),
    }
    hanging.add(answer)
    const other = sending()
    delete callers['reader']
    await clock.advance(5000)
    assert.deepEqual(ended, ['authorization_unavailable'])
    assert.deepEqual(
      other.ended.map(({ code }) => code),
      ['unauthenticated'],
    )
  })

  test('all answers of a token are judged by one question, and none is asked when all are sent', async () => {
    const many = Array.from({ length: 50 }, () => sending())
    await clock.advance(2200)
    assert.equal(judged, 1)
    for (const { sent } of many) sent()
    await clock.advance(20_000)
    assert.equal(judged, 1)
    assert.equal(listening.size, 0)
    assert.ok(many.every(({ ended }) => ended.length === 0))
  })
})
