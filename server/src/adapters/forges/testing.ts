import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Provider } from '@signalbox/contracts/event'
import { isObject } from './json-object.ts'
import type { AuthMode, Forge, ForgeConnection, WebhookHeaders } from './port.ts'

/** A delivery kept in a forge's `fixtures/`, and its reading. */
export interface Fixture {
  /** The file without its ending: push-branch. */
  readonly name: string
  /** As they come, in lower case; `content-type: application/json` where the file names none. */
  readonly headers: WebhookHeaders
  readonly payload: unknown
  readonly reading: unknown
}

/** All fixtures of a forge, by name. */
export function fixturesOf({ id }: Forge): readonly Fixture[] {
  const folder = join(import.meta.dirname, id.replaceAll('_', '-'), 'fixtures')
  return readdirSync(folder).map((file) => {
    const { headers, payload, reading } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    return {
      name: file.replace('.json', ''),
      headers: { 'content-type': 'application/json', ...headers },
      payload,
      reading,
    }
  })
}

/** One way in which a provider proves its deliveries: an auth mode, and the header that holds the proof. */
export interface Proof extends Scheme {
  readonly provider: Provider
  readonly authMode: AuthMode
  readonly header: string
}

/** The values that Standard Webhooks signs beside the body. */
interface Sending {
  readonly id: string
  readonly at: Date
}

interface Scheme {
  /** Whether the proof is over the body. */
  readonly coversBody: boolean
  /** The header's value, and the values of the other headers that it needs. */
  prove(
    body: Buffer,
    secret: string,
    sending: Sending,
  ): { readonly value: string; readonly others?: Record<string, string> }
  /** Invalid secrets. */
  readonly empty: readonly string[]
  /** Wrong values, made from a right one. */
  broken(right: string, body: Buffer, secret: string): readonly string[]
}

const hmacOf = (algorithm: string, body: Buffer, secret: string) => createHmac(algorithm, secret).update(body)

/** `sha256=` and the digits. */
const PREFIXED: Scheme = {
  coversBody: true,
  empty: [''],
  prove: (body, secret) => ({ value: `sha256=${hmacOf('sha256', body, secret).digest('hex')}` }),
  broken: (right, body, secret) => [
    '',
    'sha256=',
    right.slice('sha256='.length),
    `sha256=${right.slice('sha256='.length + 2)}`,
    `${right}00`,
    `sha256=${'zz'.repeat(32)}`,
    ` ${right}`,
    `${right}\n`,
    `sha1=${hmacOf('sha1', body, secret).digest('hex')}`,
    `sha512=${hmacOf('sha512', body, secret).digest('hex')}`,
    `sha512=${right.slice('sha256='.length)}`,
  ],
}

/** The digits alone. */
const BARE: Scheme = {
  coversBody: true,
  empty: [''],
  prove: (body, secret) => ({ value: hmacOf('sha256', body, secret).digest('hex') }),
  broken: (right) => [
    '',
    'sha256=',
    `sha256=${right}`,
    right.slice(2),
    `${right}00`,
    'zz'.repeat(32),
    ` ${right}`,
    `${right}\n`,
  ],
}

const STANDARD_WEBHOOKS: Scheme = {
  coversBody: true,
  empty: ['', 'whsec_'],
  prove(body, secret, { id, at }) {
    const others = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)) }
    const content = Buffer.concat([Buffer.from(`${id}.${others['webhook-timestamp']}.`), body])
    return { value: `v1,${hmacOf('sha256', content, secret).digest('base64')}`, others }
  },
  broken: (right) => ['', 'v1,', right.slice(0, -5), `${right}AAAA`, `v1,${'zz'.repeat(32)}`, right.slice(3)],
}

const TOKEN: Scheme = {
  coversBody: false,
  empty: ['', '\n', '\r\n'],
  prove: (_body, secret) => ({ value: secret }),
  broken: (right) => ['', `${right}!`, right.slice(1)],
}

const BASIC: Scheme = {
  coversBody: false,
  empty: ['', ':', 'signalbox:'],
  prove: (_body, secret) => ({ value: `Basic ${Buffer.from(secret).toString('base64')}` }),
  broken: (right) => ['', 'Basic ', 'Basic !!!!', right.slice(0, -4), `${right}AAAA`, right.slice('Basic '.length)],
}

/** Every header that a forge accepts as a proof, in each of its modes; of several in one mode the first that came decides. */
export const PROOFS: readonly Proof[] = [
  { provider: 'github', authMode: 'signature', header: 'x-hub-signature-256', ...PREFIXED },
  { provider: 'gitlab', authMode: 'signature', header: 'webhook-signature', ...STANDARD_WEBHOOKS },
  { provider: 'gitlab', authMode: 'token', header: 'x-gitlab-token', ...TOKEN },
  { provider: 'bitbucket', authMode: 'signature', header: 'x-hub-signature', ...PREFIXED },
  { provider: 'bitbucket_datacenter', authMode: 'signature', header: 'x-hub-signature', ...PREFIXED },
  { provider: 'bitbucket_datacenter', authMode: 'basic', header: 'authorization', ...BASIC },
  { provider: 'azure_devops', authMode: 'basic', header: 'authorization', ...BASIC },
  { provider: 'gitea', authMode: 'signature', header: 'x-gitea-signature', ...BARE },
  { provider: 'gitea', authMode: 'signature', header: 'x-hub-signature-256', ...PREFIXED },
  { provider: 'forgejo', authMode: 'signature', header: 'x-forgejo-signature', ...BARE },
  { provider: 'forgejo', authMode: 'signature', header: 'x-gitea-signature', ...BARE },
  { provider: 'forgejo', authMode: 'signature', header: 'x-hub-signature-256', ...PREFIXED },
  { provider: 'gogs', authMode: 'signature', header: 'x-gogs-signature', ...BARE },
  { provider: 'generic', authMode: 'signature', header: 'webhook-signature', ...STANDARD_WEBHOOKS },
  { provider: 'generic', authMode: 'signature', header: 'x-hub-signature-256', ...PREFIXED },
]

/** The headers that prove a delivery with this secret, in each provider's default mode. */
export function proofOf({ id, webhooks }: Forge, body: Buffer, secret: string): Record<string, string> {
  const proof = PROOFS.find(({ provider, authMode }) => provider === id && authMode === webhooks.authModes[0])
  assert.ok(proof, `PROOFS has no row for ${id}`)
  return headersOf(proof, body, secret, { id: randomUUID(), at: new Date() })
}

export function headersOf(proof: Proof, body: Buffer, secret: string, sending: Sending): Record<string, string> {
  const { value, others } = proof.prove(body, secret, sending)
  return { ...others, [proof.header]: value }
}

/** Keys and positions, from the outside in. */
export type Path = readonly (string | number)[]

/** Every place in a document, the inner ones of lists only for the first item. */
export function* places(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path
  if (Array.isArray(value)) {
    if (value.length > 0) yield* places(value[0], [...path, 0])
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) yield* places(value[key], [...path, key])
  }
}

/** In place of a value: its key goes with it. */
export const REMOVED = Symbol('removed')

/** The document with one place replaced or removed; the other parts are shared. */
export function changed(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? changed(item, rest, replacement) : item))
  if (!isObject(value)) return value
  const inner = changed(value[key], rest, replacement)
  const { [key]: _, ...others } = value
  return inner === REMOVED ? others : { ...others, [key]: inner }
}

/**
 * An answer of the provider: a body that is neither text nor bytes goes as JSON. `reset` cuts the connection, `silence`
 * never answers.
 */
export type ForgeDoubleReply =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  | 'reset'
  | 'silence'

/** One call as it must come. */
export interface ExpectedCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With the query, exactly as on the wire. */
  readonly path: string
  /** By their names in lower case; undefined: must be absent. Others are not looked at. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** The JSON that must come; left out: the call must have no body. */
  readonly body?: unknown
  /** A function is given the double's own address, for links to a next page. */
  readonly reply: ForgeDoubleReply | ((url: string) => ForgeDoubleReply)
}

export interface ForgeDouble {
  /** http://127.0.0.1:<port> */
  readonly url: string
  /** A connection whose provider is the double. Calls end when `signal` does; without a signal, never. */
  connection(token?: string, signal?: AbortSignal): ForgeConnection
  /** Settles once this many calls came, answered or not. */
  asked(calls: number): Promise<void>
}

/** The part of a test's context that the double needs: it closes itself when the test ends. */
interface EndingTest {
  after(end: () => Promise<void>): void
}

/**
 * A provider's API for one test: a real HTTP server that takes exactly these calls in exactly this order. At the end of
 * the test it fails it for every call that came otherwise, came too much or never came.
 */
export async function openForgeDouble(t: EndingTest, calls: readonly ExpectedCall[]): Promise<ForgeDouble> {
  const waiting = [...calls]
  const faults: string[] = []
  const arrivals = new EventEmitter()
  let came = 0
  let url = ''

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const text = await textOf(request)
    const told = `${request.method} ${request.url}`
    const expected = waiting.shift()
    const fault = expected === undefined ? 'no further call was expected' : faultOf(request, text, expected)
    if (expected === undefined || fault !== undefined) {
      faults.push(`${told}: ${fault}`)
      response.writeHead(500).end()
      return
    }
    send(response, typeof expected.reply === 'function' ? expected.reply(url) : expected.reply)
    came += 1
    arrivals.emit('came')
  }

  async function asked(count: number): Promise<void> {
    if (came >= count) return
    await once(arrivals, 'came')
    await asked(count)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      faults.push(`${request.method} ${request.url}: ${String(error)}`)
      response.destroy()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  url = `http://127.0.0.1:${address.port}`

  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    const missed = waiting.map(({ method, path }) => `${method} ${path}: never came`)
    assert.deepEqual([...faults, ...missed], [], 'the calls of the provider')
  })
  return {
    url,
    connection: (token, signal = new AbortController().signal) => ({ baseUrl: url, token, signal }),
    asked,
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** The first difference between a call and the expected one; undefined where there is none. */
function faultOf(request: IncomingMessage, text: string, expected: ExpectedCall): string | undefined {
  const told = `${expected.method} ${expected.path}`
  if (request.method !== expected.method || request.url !== expected.path) return `expected was ${told}`
  for (const [key, value] of Object.entries(expected.headers ?? {})) {
    const given = request.headers[key]
    if (given !== value) return `the header ${key} is ${JSON.stringify(given)}, expected was ${JSON.stringify(value)}`
  }
  if (expected.body === undefined) return text === '' ? undefined : `a body came: ${text}`
  if (request.headers['content-type'] !== 'application/json') return 'the content type of the body is not JSON'
  try {
    assert.deepEqual(JSON.parse(text), expected.body)
    return undefined
  } catch (error) {
    return `another body came: ${error instanceof Error ? error.message : text}`
  }
}

function send(response: ServerResponse, reply: ForgeDoubleReply) {
  if (reply === 'silence') return
  if (reply === 'reset') {
    response.destroy()
    return
  }
  const { status, headers, body } = reply
  const plain = typeof body === 'string' || Buffer.isBuffer(body)
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(plain ? body : JSON.stringify(body))
}
