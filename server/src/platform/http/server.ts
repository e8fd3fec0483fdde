import { Readable } from 'node:stream'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  type onRequestHookHandler,
} from 'fastify'
import type { Ids } from '#platform/ids'
import type { Log } from '#platform/log'
import { type Page, servePage } from '#platform/page'
import { Problem, platformProblem } from '#platform/problems'
import type { Clock } from '#platform/time'
import { createSecureServer, type KeptCertificate } from '#platform/tls'
import { admit, forbidStoring } from './admit.ts'
import { answerBare, isBare } from './answer-bare.ts'
import { type AnswerHeaders, answerHeaders, headersOfFile } from './answer-headers.ts'
import type { BrowserAccess } from './browser-access.ts'
import { type AskedCaller, type Authenticator, type Caller, holdsAll, watchCaller } from './caller.ts'
import { closeServer } from './close-server.ts'
import { createSerializerCompiler } from './compile-later.ts'
import { serveDocuments } from './documents.ts'
import { createFairShares } from './fair-shares.ts'
import { type Idempotency, type KeyedWrite, readIdempotencyKey } from './idempotency.ts'
import { IncomingRequest, type RequestContext } from './incoming-request.ts'
import { readJsonBodies } from './json-body.ts'
import { createLongAnswers, type LongAnswer, type LongAnswers } from './long-answers.ts'
import { type OpenApiInfo, openApiDocument } from './openapi.ts'
import { type Answer, answersSecret, type Route, takesIdempotencyKey, takesLong } from './route.ts'
import { createProblemReader, pathOf, type ReadProblem, sendProblem } from './send-problem.ts'
import { watchSilentConnections } from './silent-connections.ts'
import { answerPlain, createUnreadableHandler } from './unreadable.ts'
import { createValidatorCompiler, passText, validationOf } from './validation.ts'

export interface HttpServer {
  readonly app: FastifyInstance
  /** Compiles the schemas; after it no route can be added. */
  ready(): Promise<void>
  /** Answers the port, which differs from the asked one when that is 0. */
  listen(host: string, port: number): Promise<number>
  /** The OpenAPI 3.1 document of every registered route. */
  openApi(): object
  /** Stops accepting, lets requests in hand finish for at most `graceMs`, then cuts them. */
  close(graceMs: number): Promise<void>
}

export interface HttpOptions {
  readonly log: Log
  readonly ids: Ids
  readonly clock: Clock
  readonly bodyLimit: number
  /** Bytes of raw bodies that are read at the same time, shared fairly; beyond it 503 is answered. Default 256 MiB. */
  readonly rawBodiesBudget?: number
  /** Proxies whose X-Forwarded-For is believed; none: the address is that of the connection. */
  readonly trustedProxies?: readonly string[]
  readonly authenticator: Authenticator
  /** Without it no cookie counts. */
  readonly browsers?: BrowserAccess
  readonly routes: readonly Route[]
  readonly info: OpenApiInfo
  /** Without it an Idempotency-Key is ignored. */
  readonly idempotency?: Idempotency
  /** With it the port speaks HTTPS only. */
  readonly certificate?: KeptCertificate
  /** The address under which browsers reach this server, where one is configured. */
  readonly baseUrl?: string | undefined
  /** The web page; without it `/` is not found. */
  readonly page?: Page
}

const DEFAULT_RAW_BODIES = 256 * 1024 * 1024

interface RouteContext extends HttpOptions, RequestContext {
  readonly headers: AnswerHeaders
  readonly readProblem: ReadProblem
  readonly longAnswers: LongAnswers
}

const NOBODY: Caller = {
  kind: 'system',
  id: 'nobody',
  name: 'nobody',
  can: () => false,
  prefixes: () => [],
  mayUse: () => false,
}
// Slow senders are cut: headers within 15 s, the whole request within 30 s. Node looks at its connections only now and
// then, by itself every 30 s.
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 26_000
const LOOK_INTERVAL_MS = 2000
/**
 * Connections that wait to be accepted: what Linux allows by default. With
 * fewer, such as Node's own 511, senders of a burst believe to be connected, and their requests are found too late.
 */
const BACKLOG = 4096

/** Builds the HTTP server from the routes of all rooms. Fails where a route lacks a class or a permission. */
export async function createHttpServer(options: HttpOptions): Promise<HttpServer> {
  const readProblem = createProblemReader(options)
  const headers = answerHeaders(options.baseUrl)
  const app = Fastify({
    logger: false,
    bodyLimit: options.bodyLimit,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { connectionsCheckingInterval: LOOK_INTERVAL_MS },
    ...secureFactory(options, headers),
    genReqId: () => options.ids.next(),
    requestIdHeader: false,
    routerOptions: { maxParamLength: 1024, ignoreTrailingSlash: false },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) =>
      sendProblem(readProblem(error, request), request, reply.headers(headers)),
    clientErrorHandler: createUnreadableHandler(options.ids, headers),
  })
  const stopping = new AbortController()
  const rawBodies = { bytes: createFairShares(options.rawBodiesBudget ?? DEFAULT_RAW_BODIES), clock: options.clock }
  app.server.headersTimeout = HEADERS_TIMEOUT_MS
  const silent = watchSilentConnections(app.server)
  const longAnswers = createLongAnswers(options)
  app.setValidatorCompiler(createValidatorCompiler())
  app.setSerializerCompiler(createSerializerCompiler())
  readJsonBodies(app)
  app.setErrorHandler((error, request, reply) => sendProblem(readProblem(error, request), request, reply))
  app.setNotFoundHandler((request, reply) =>
    sendProblem(platformProblem('not_found', `There is no ${request.method} ${pathOf(request)}.`), request, reply),
  )
  let document: object | undefined
  const openApi = (): object => (document ??= openApiDocument(options.info, options.routes))
  // Before any route: what a route, or the lack of one, answers has these too.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    done()
  })
  await serveDocuments(app, openApi)
  if (options.page) await servePage(app, options.page)
  for (const route of options.routes) {
    requireClass(route)
    const context = { ...options, headers, stopping: stopping.signal, rawBodies, readProblem, longAnswers }
    // A scope costs more than all else about a route: only one with parsers of its own gets one.
    if (route.rawBody || route.textBody) await app.register(async (scope) => addRoute(scope, route, context))
    else addRoute(app, route, context)
  }
  return {
    app,
    ready: async () => void (await app.ready()),
    openApi,
    async listen(host, port) {
      await app.listen({ host, port, backlog: BACKLOG })
      const address = app.server.address()
      return typeof address === 'object' && address ? address.port : port
    },
    async close(graceMs) {
      // A stream lives as long as its run: it ends now, and its reader comes back to the next process.
      stopping.abort()
      await closeServer(app, { clock: options.clock, graceMs, silent })
    },
  }
}

function secureFactory(
  { certificate, ids }: HttpOptions,
  headers: AnswerHeaders,
): Pick<FastifyServerOptions, 'serverFactory'> {
  if (!certificate) return {}
  return {
    serverFactory: (handler, { keepAliveTimeout }: FastifyServerOptions) => {
      const checking = { connectionsCheckingInterval: LOOK_INTERVAL_MS, requestTimeout: REQUEST_TIMEOUT_MS }
      const server = createSecureServer(certificate, checking, () => answerPlain(ids, headers), handler)
      if (keepAliveTimeout !== undefined) server.keepAliveTimeout = keepAliveTimeout
      return server
    },
  }
}

function requireClass(route: Route): void {
  const known = ['public', 'authenticated', 'authorized']
  if (!known.includes(route.class)) throw new Error(`${route.method} ${route.path} has no route class`)
  if (route.class === 'authorized' && !route.permission)
    throw new Error(`${route.method} ${route.path} has no permission`)
}

function addRoute(scope: FastifyInstance, route: Route, options: RouteContext): void {
  if (route.rawBody) {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  }
  for (const type of route.textBody ?? []) {
    scope.addContentTypeParser(type, { parseAs: 'string' }, (_request, body, done) => done(null, body))
  }
  scope.route({
    method: route.method,
    url: route.path,
    schema: validationOf(route),
    ...(route.textBody ? { validatorCompiler: passText(scope, route) } : {}),
    // Before the body is read: a caller without a token does not make us parse.
    onRequest: [
      (request, _reply, done) => done(request.url.includes('%00') ? nulInAddress() : undefined),
      ...(route.class === 'public' && !route.ownPage
        ? []
        : [(request: FastifyRequest, reply: FastifyReply) => admit(route, request, reply, options)]),
      ...(isBare(route) ? [serveBare(route, options)] : []),
    ],
    handler: async (request, reply) => {
      const key = options.idempotency && readKey(route, request)
      const caller = watchCaller(request.caller ?? NOBODY, key !== undefined || takesLong(route))
      const incoming = new IncomingRequest(options, request, reply, caller)
      const work = async (): Promise<Answer> => {
        const result = await route.handle(incoming)
        if (route.class === 'authorized' && !caller.asked) {
          throw new Error(`${route.method} ${route.path} answered without a permission check`)
        }
        return result
      }
      if (options.idempotency && key !== undefined) {
        const write = { ...describeWrite(route, request), key, caller }
        return send(reply, await options.idempotency.once(write, work))
      }
      const sending = { request, reply, incoming, caller }
      const waited = route.waits && options.longAnswers.add({ ...rightOf(sending), end: (why) => incoming.end(why) })
      const result = await work().finally(waited)
      if (waited && incoming.signal.reason instanceof Problem) throw incoming.signal.reason
      if (result.body instanceof Readable) judgeWhileSent(result, sending, options)
      return send(reply, result)
    },
  })
}

interface Sending {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly incoming: IncomingRequest
  readonly caller: AskedCaller
}

/** The time that the last words of a stream have to leave; then the connection is cut. */
const LAST_WORDS_MS = 1000

/** A stream of events says why it ends; any other breaks off, so that nobody takes what came for the whole. */
function judgeWhileSent({ admitAgain }: Answer, sending: Sending, { longAnswers, clock }: RouteContext): void {
  const { reply, incoming } = sending
  if (reply.raw.destroyed) return
  const sent = longAnswers.add({
    ...rightOf(sending),
    admitAgain,
    end(problem) {
      incoming.end(problem)
      const cut = clock.after(LAST_WORDS_MS, () => reply.raw.destroy())
      reply.raw.once('close', () => cut.cancel())
    },
  })
  reply.raw.once('close', sent)
}

function rightOf({ request, caller }: Sending): Pick<LongAnswer, 'credentials' | 'isAllowed'> {
  const isAllowed = (now: Caller) => now.kind === caller.kind && now.id === caller.id && holdsAll(now, caller.held)
  return { credentials: request.credentials, isAllowed }
}

/** A hook that does not go on: it answers. */
function serveBare(route: Route, options: RouteContext): onRequestHookHandler {
  return (request, reply, _done) => {
    const work = {
      headers: options.headers,
      handle: () => route.handle(new IncomingRequest(options, request, reply, NOBODY)),
      toProblem: (error: unknown) => options.readProblem(error, request),
    }
    void answerBare(work, request, reply)
  }
}

/** PostgreSQL stores no NUL, so no room could even look for one; JSON bodies are checked where they are parsed. */
function nulInAddress(): Problem {
  return platformProblem('invalid_request', 'The address holds a NUL character: leave it out.')
}

/** Undefined where the request has no Idempotency-Key, or is none that is done once: a read, a public or a raw route. */
function readKey(route: Route, request: FastifyRequest): string | undefined {
  return takesIdempotencyKey(route) ? readIdempotencyKey(request.headers['idempotency-key']) : undefined
}

function describeWrite(route: Route, request: FastifyRequest): Pick<KeyedWrite, 'route' | 'content' | 'isSecret'> {
  return {
    route: `${route.method} ${route.path}`,
    content: [request.url, request.body ?? null],
    isSecret: answersSecret(route),
  }
}

function send(reply: FastifyReply, result: Answer): FastifyReply {
  reply.code(result.status)
  for (const line of result.setCookies ?? []) reply.header('set-cookie', line)
  if (result.headers) reply.headers(headersOfFile(result.headers)).headers(result.headers)
  forbidStoring(reply)
  return reply.send(result.body)
}
