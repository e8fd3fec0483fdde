import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { ForgeClock } from '../clock.ts'
import { type Fields, isFields } from '../fields.ts'
import { type Answer, type Call, type RecordedCall, Refusal } from './call.ts'
import { asFirstPage, withNextPage } from './endless.ts'
import type { Faults } from './faults.ts'
import type { Route, Router } from './route.ts'
import { writeAnswer } from './write-answer.ts'

/** A forge as its server sees it. */
export interface Served {
  readonly clock: ForgeClock
  readonly faults: Faults
  readonly router: Router
  readonly port: number
  /** Takes a request whose body is not JSON, such as one of Git, before it is read. */
  takesStream(path: string): boolean
  stream(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>
  /** What is wrong with a request whatever its route is. */
  refuse(call: Call): Answer | undefined
  /** Runs the route, and gives the answer the headers that every answer has. */
  answer(call: Call, handle: () => Promise<Answer>): Promise<Answer>
  /** Unknown paths, and a body that is no JSON. */
  notFound(call: Call): Answer
  malformedBody(): Answer
}

export interface ForgeServer {
  readonly url: string
  readonly calls: readonly RecordedCall[]
  /** Sentences about calls that nobody expected. */
  readonly unexpected: readonly string[]
  complain(sentence: string): void
  close(): Promise<void>
}

/** Faults of calls that take effect all the same. */
const TAKES_EFFECT = ['slow', 'lost', 'cut', 'endless', 'malformed']
const NOTHING: Answer = { status: 200 }
const LONGEST_BODY = 30 * 1024 * 1024

export async function startForgeServer(served: Served): Promise<ForgeServer> {
  const calls: RecordedCall[] = []
  const unexpected: string[] = []
  const server = createServer((request, response) => {
    void take(request, response).catch((error: unknown) => {
      unexpected.push(
        `${request.method} ${request.url}: the forge itself failed: ${String(Object(error).stack ?? error)}`,
      )
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    })
  })

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: target = '/', headers } = request
    const { pathname: path, searchParams: query } = new URL(target, 'http://forge')
    const isStream = served.takesStream(path)
    const body = isStream ? {} : readBody(await buffer(request), headers['content-type'])
    const recorded: RecordedCall = { line: `${method} ${target}`, headers, body: body ?? {}, status: undefined }
    calls.push(recorded)
    response.on('finish', () => void (recorded.status = response.statusCode))
    const fault = served.faults.take(method, path)
    if (fault && !TAKES_EFFECT.includes(fault.kind)) return writeAnswer(response, NOTHING, fault, served.clock)
    if (isStream) {
      if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms))
      return fault && fault.kind !== 'slow' ? void response.destroy() : served.stream(request, response, path)
    }
    const found = served.router.find(method, path)
    const call: Call = { method, path, params: found?.params ?? {}, query, headers, body: body ?? {} }
    const run = () => runRoute(fault?.kind === 'endless' ? asFirstPage(call) : call, found?.route, body === undefined)
    const answer = await served.answer(call, run)
    const sent = fault?.kind === 'endless' ? withNextPage(answer, call, `http://${headers.host}`) : answer
    await writeAnswer(response, sent, fault, served.clock)
  }

  async function runRoute(call: Call, route: Route | undefined, malformed: boolean): Promise<Answer> {
    const refusal = served.refuse(call)
    if (refusal) return refusal
    if (!route) {
      unexpected.push(`${call.method} ${call.path}: the forge has no such operation`)
      return served.notFound(call)
    }
    if (malformed) return served.malformedBody()
    try {
      return await route.handle(call)
    } catch (error) {
      if (error instanceof Refusal) return error.answer
      throw error
    }
  }

  await new Promise<void>((resolve) => server.listen(served.port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    calls,
    unexpected,
    complain: (sentence) => void unexpected.push(sentence),
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The forge has no port.')
  return address.port
}

/** Undefined: it is no JSON object and no form. */
function readBody(raw: Buffer, contentType = ''): Fields | undefined {
  if (raw.length === 0) return {}
  if (raw.length > LONGEST_BODY) return undefined
  const text = raw.toString('utf8')
  if (contentType.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text))
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}
