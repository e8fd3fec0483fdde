import { Readable } from 'node:stream'
import {
  classifyInboundRequest,
  createMcpHandler,
  type InboundLegacyRoute,
  InMemoryServerEventBus,
  type JSONRPCRequest,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type Answer, answer, parseJsonStrictly } from '#platform/http'
import type { Log } from '#platform/log'
import { Problem } from '#platform/problems'
import {
  buildServer,
  fieldOf,
  INTERNAL_ERROR,
  type McpIdentity,
  type McpServerType,
  type Offered,
} from './build-server.ts'
import type { McpOffer } from './offer.ts'
import { openSharedServer } from './shared-server.ts'

/** One POST of a client that has been let in. */
export interface McpPost {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly signal: AbortSignal
}

export interface McpEndpoint {
  /**
   * Answers one message of either era of the protocol: up to 2025-11-25, which opens with `initialize`, and 2026-07-28,
   * where each message stands for itself. No session is kept for either.
   */
  answer(post: McpPost, offer: McpOffer): Promise<McpAnswer>
  /** Tells every open `subscriptions/listen` stream that its list of tools may be another one. */
  toolsChanged(): void
  close(): Promise<void>
}

/** The statuses that the protocol knows. */
export type McpAnswer = Answer<200, unknown> | Answer<202, undefined> | Answer<400, unknown> | Answer<404, unknown>

/** Spec 4.6: an empty body is no parse error. */
const LIST_TOOLS = { jsonrpc: '2.0', id: 0, method: 'tools/list' } as const
/** Messages of one batch of protocol 2025-03-26. */
const MOST_MESSAGES = 20
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
/** The SDK asks for an address; nothing reads it. */
const ADDRESS = 'http://signalbox.invalid/v1/mcp'
const EVENTS = 'text/event-stream'
const JSON_TYPE = 'application/json'
/** Headers of the protocol; no credential goes further than the door. */
const PASSED = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'user-agent']

export function createMcpEndpoint(identity: McpIdentity, log: Log, serverType: McpServerType = Server): McpEndpoint {
  const bus = new InMemoryServerEventBus()
  const offers = new WeakMap<Request, Offered>()
  const onerror = (error: Error): void => log.debug({ err: error.message }, 'a message of an agent was not understood')
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const known = requestInfo && offers.get(requestInfo)
      if (!known) throw new Error('the offer of this message is not known')
      return buildServer(identity, { offerOf: () => known, serverType, isModern: true, log })
    },
    { legacy: 'reject', bus, onerror },
  )
  const shared = openSharedServer((offerOf) => buildServer(identity, { offerOf, serverType, isModern: false, log }))

  /**
   * The SDK's own answer to older clients streams events, which a plain JSON client cannot read. Only progress needs a
   * stream.
   */
  async function answerLegacy(request: Request, message: unknown, isStreamed: boolean) {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !isStreamed })
    const known = offers.get(request)
    if (!known) throw new Error('the offer of this message is not known')
    const server = buildServer(identity, { offerOf: () => known, serverType, isModern: false, log })
    await server.connect(transport)
    // A stream goes on after this function; the signal says when it is over. A call that waits for its answer would wait
    // for ever: the SDK forgets it when it closes.
    const ended = new Promise<Response>((resolve) => {
      const end = (): void => {
        void server.close()
        resolve(Response.json(errorOf(INTERNAL_ERROR, ENDED), { status: 400 }))
      }
      if (request.signal.aborted) end()
      else request.signal.addEventListener('abort', end, { once: true })
    })
    const response = await Promise.race([transport.handleRequest(request, { parsedBody: message }), ended])
    if (!isEventStream(response)) await server.close()
    return response
  }

  return {
    async answer({ body, headers, signal }, offer) {
      const read = readMessage(body)
      if ('refused' in read) return read.refused
      const { message } = read
      const passed = passedHeaders(read, headers)
      const offered = { offer, userAgent: passed.get('user-agent') }
      const route = routeOf(message, passed)
      const isStreamed = String(headers['accept']).includes(EVENTS) && asksForProgress(message)
      if (route.kind === 'legacy' && !isStreamed && standsAlone(message, route)) {
        const text = await shared.answer(message, offered, signal)
        return text === undefined ? refuse(INTERNAL_ERROR, ENDED) : answer(200, text, headersOf(JSON_TYPE))
      }
      const request = toRequest(passed, signal)
      offers.set(request, offered)
      if (route.kind === 'legacy') return toAnswer(await answerLegacy(request, message, isStreamed))
      return toAnswer(await modern.fetch(request, { parsedBody: message }))
    },
    toolsChanged: () => modern.notify.toolsChanged(),
    close: async () => void (await Promise.all([modern.close(), shared.close()])),
  }
}

/** Read by a client that is still there: the server stops. */
const ENDED = 'The call was ended before its answer: send it again.'

function errorOf(code: number, message: string): object {
  return { jsonrpc: '2.0', id: null, error: { code, message } }
}

/** Which era a message belongs to, as the SDK tells them apart. */
function routeOf(message: unknown, passed: PassedHeaders) {
  const [version, method, name] = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((header) => passed.get(header))
  return classifyInboundRequest({
    httpMethod: 'POST',
    body: message,
    ...(version === undefined ? {} : { protocolVersionHeader: version }),
    ...(method === undefined ? {} : { mcpMethodHeader: method }),
    ...(name === undefined ? {} : { mcpNameHeader: name }),
  })
}

/**
 * Whether a message of an older client asks for an answer and leaves nothing behind: it is no `initialize`, and no batch. By
 * `no-claim` the SDK says that it has found a request.
 */
function standsAlone(message: unknown, { reason, requestedVersion }: InboundLegacyRoute): message is JSONRPCRequest {
  const isKnown = requestedVersion === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(requestedVersion)
  return reason === 'no-claim' && isKnown
}

function asksForProgress(message: unknown): boolean {
  return fieldOf(fieldOf(fieldOf(message, 'params'), '_meta'), 'progressToken') !== undefined
}

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith(EVENTS) === true
}

interface ReadMessage {
  readonly message: unknown
  readonly isEmpty: boolean
}

function readMessage(body: Buffer): ReadMessage | { readonly refused: McpAnswer } {
  if (body.toString('latin1').trim() === '') return { message: LIST_TOOLS, isEmpty: true }
  let message: unknown
  try {
    message = parseJsonStrictly(body)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { refused: refuse(PARSE_ERROR, error.message) }
  }
  if (!Array.isArray(message)) return { message, isEmpty: false }
  if (message.length === 0) return { refused: refuse(INVALID_REQUEST, 'The batch is empty.') }
  if (message.length <= MOST_MESSAGES) return { message, isEmpty: false }
  return { refused: refuse(INVALID_REQUEST, `A batch has at most ${MOST_MESSAGES} messages.`) }
}

function refuse(code: number, message: string): McpAnswer {
  return answer(400, JSON.stringify(errorOf(code, message)), { 'content-type': JSON_TYPE })
}

type PassedHeaders = ReadonlyMap<string, string>

function passedHeaders({ isEmpty }: ReadMessage, headers: McpPost['headers']): PassedHeaders {
  const passed = new Map<string, string>()
  for (const name of PASSED) {
    const value = [headers[name]].flat()[0]
    if (value !== undefined && !(isEmpty && name.startsWith('mcp-'))) passed.set(name, value)
  }
  return passed
}

function toRequest(passed: PassedHeaders, signal: AbortSignal): Request {
  const headers = new Headers([...passed, ['content-type', JSON_TYPE], ['accept', `${JSON_TYPE}, ${EVENTS}`]])
  // The message is handed over as it was read: to write it again only for the SDK to read would cost as much as the answer.
  return new Request(ADDRESS, { method: 'POST', headers, signal })
}

function headersOf(type: string): Readonly<Record<string, string>> {
  return { 'content-type': type, 'cache-control': 'no-store' }
}

async function toAnswer(response: Response): Promise<McpAnswer> {
  const headers = headersOf(response.headers.get('content-type') ?? '')
  if (response.status === 202) return answer(202)
  if (isEventStream(response) && response.body) {
    // The types of a web stream differ between the SDK's library and Node's; at run time they are one.
    const stream = Readable.from(response.body)
    return answer(200, stream, { ...headers, 'x-accel-buffering': 'no' })
  }
  const text = await response.text()
  switch (response.status) {
    case 200:
      return answer(200, text, headers)
    case 404:
      return answer(404, text, headers)
    default:
      return answer(400, text, headers)
  }
}
