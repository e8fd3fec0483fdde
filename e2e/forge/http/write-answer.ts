import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ForgeClock } from '../clock.ts'
import type { Answer } from './call.ts'
import type { Fault } from './faults.ts'

const GIBIBYTE = 1024 ** 3
const CHUNK = Buffer.alloc(64 * 1024, ' ')

/** Sends an answer, spoilt by the fault where there is one. */
export async function writeAnswer(
  response: ServerResponse,
  answer: Answer,
  fault: Fault | undefined,
  clock: ForgeClock,
): Promise<void> {
  switch (fault?.kind) {
    case undefined:
    case 'endless':
      return send(response, answer, clock)
    case 'refuse':
      return send(response, refused(fault), clock)
    case 'rate_limit':
      return send(response, limited(fault, clock), clock)
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, fault.ms))
      return send(response, answer, clock)
    case 'lost':
    case 'reset':
      return void response.socket?.resetAndDestroy()
    case 'cut':
      return sendHalf(response, answer, clock)
    case 'huge':
      return sendHuge(response, fault.bytes ?? GIBIBYTE)
    case 'redirect':
      return send(response, { status: 302, headers: { location: fault.to } }, clock)
    case 'malformed':
      return sendBroken(response, answer, clock)
  }
}

function send(response: ServerResponse, answer: Answer, clock: ForgeClock): void {
  const text = bodyOf(answer)
  response.writeHead(answer.status, headersOf(answer, text, clock)).end(text)
}

function bodyOf({ body }: Answer): string | undefined {
  if (body === undefined) return undefined
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function headersOf(answer: Answer, text: string | undefined, clock: ForgeClock): Record<string, string> {
  const html = typeof answer.body === 'string'
  return {
    date: new Date(clock.now()).toUTCString(),
    ...(text === undefined
      ? {}
      : { 'content-type': html ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8' }),
    ...answer.headers,
    ...(text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }),
  }
}

function refused({ status, body, headers }: Extract<Fault, { kind: 'refuse' }>): Answer {
  return { status, body: body ?? { message: `The forge was told to answer ${status}` }, ...(headers && { headers }) }
}

function limited({ status, retryAfterS, resetInS }: Extract<Fault, { kind: 'rate_limit' }>, clock: ForgeClock): Answer {
  const primary = retryAfterS === undefined
  const reset = Math.ceil(clock.now() / 1000) + (resetInS ?? 60)
  const message = primary ? 'API rate limit exceeded' : 'You have exceeded a secondary rate limit'
  return {
    status,
    body: {
      message,
      documentation_url: 'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api',
    },
    headers: primary
      ? { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) }
      : { 'retry-after': String(retryAfterS) },
  }
}

function sendBroken(response: ServerResponse, answer: Answer, clock: ForgeClock): void {
  const text = '{"id": 1, "name": <html>'
  response.writeHead(answer.status, headersOf({ ...answer, body: {} }, text, clock)).end(text)
}

async function sendHalf(response: ServerResponse, answer: Answer, clock: ForgeClock): Promise<void> {
  const text = bodyOf(answer) ?? '{}'
  response.writeHead(answer.status, headersOf(answer, text, clock))
  const half = Buffer.from(text).subarray(0, Math.floor(Buffer.byteLength(text) / 2))
  await new Promise<void>((resolve) => response.write(half, () => resolve()))
  response.destroy()
}

async function sendHuge(response: ServerResponse, bytes: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(bytes) })
  // A client that leaves ends it.
  await pipeline(Readable.from(blanks(bytes)), response).catch(() => undefined)
}

/** A list that never closes. */
function* blanks(bytes: number): Generator<Buffer> {
  yield Buffer.from('[')
  for (let sent = 1; sent < bytes; sent += CHUNK.length) yield CHUNK.subarray(0, Math.min(CHUNK.length, bytes - sent))
}
