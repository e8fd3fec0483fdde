import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { SignedDelivery } from '../../../../adapters/forges/github/testing.ts'

export interface Logged {
  readonly id: number
  readonly guid: string
  readonly delivered_at: string | null
  readonly status_code: number
  /** Whose log it stands in: `app/hook`, or `repos/<owner>/<name>/hooks/<id>`. */
  readonly hook: string
  readonly to: string
  readonly delivery: SignedDelivery
}

/** GitHub's logs of deliveries over real HTTP: newest first, in pages with a cursor, and attempts that send again. */
export interface LogDouble {
  readonly url: string
  log: Logged[]
  /** The attempts that were asked for. */
  asked: number[]
  /** The logs that were read, a page each. */
  read: string[]
  tokens: (string | undefined)[]
  pageSize: number
  /** Whether it still knows the places of pages behind the first. */
  knowsCursors: boolean
  endless: boolean
  /** Whether what is asked for comes; else it is lost again. */
  brings: boolean
  answer: { status: number; message?: string; headers?: Record<string, string> } | undefined
  /** The log that nobody may read. */
  refusing: string | undefined
  /** Pages from this one on are answered 502. */
  breaksAt: number
  /** As at the beginning. */
  forget(): void
  close(): void
}

const FRESH = {
  log: [],
  asked: [],
  read: [],
  tokens: [],
  pageSize: 100,
  knowsCursors: true,
  endless: false,
  brings: true,
  answer: undefined,
  refusing: undefined,
  breaksAt: Number.POSITIVE_INFINITY,
}
const PATH = /^\/api\/v3\/(app\/hook|repos\/[^/]+\/[^/]+\/hooks\/\d+)\/deliveries(?:\/(\d+)\/attempts)?$/

/** `send` brings what is asked for to the service. */
export async function startLog(send: (logged: Logged) => Promise<unknown>): Promise<LogDouble> {
  const double: LogDouble = {
    ...structuredClone(FRESH),
    url: '',
    forget: () => void Object.assign(double, structuredClone(FRESH)),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const reply = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    }
    const { answer } = double
    if (answer) return reply(answer.status, { message: answer.message ?? 'not now' }, answer.headers)
    const [, hook, attempt] = PATH.exec(pathname) ?? []
    if (hook === undefined) return reply(404, { message: 'Not Found' })
    if (hook === double.refusing) return reply(403, { message: 'Must have admin rights' })
    double.tokens.push(request.headers.authorization)
    const log = double.log.filter((each) => each.hook === hook)
    if (attempt !== undefined) {
      double.asked.push(Number(attempt))
      const logged = log.find(({ id }) => id === Number(attempt))
      if (!logged) return reply(404, { message: 'Not Found' })
      if (!double.brings) return reply(202, {})
      return void send(logged).then(() => reply(202, {}))
    }
    double.read.push(hook)
    if (double.read.length >= double.breaksAt) return reply(502, { message: 'Bad gateway' })
    const cursor = searchParams.get('cursor')
    if (cursor !== null && !double.knowsCursors) return reply(404, { message: 'Not Found' })
    const rest = cursor === null || double.endless ? log : log.filter(({ id }) => id < Number(cursor))
    const page = rest.slice(0, double.pageSize)
    const next = double.endless ? double.read.length : rest.length > page.length ? page.at(-1)?.id : undefined
    const link = `<${double.url}/api/v3/${hook}/deliveries?per_page=100&cursor=${next}>; rel="next"`
    return reply(200, page.map(describe), next === undefined ? {} : { link })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  Object.assign(double, { url: `http://127.0.0.1:${address.port}` })
  return double
}

function describe({ id, guid, delivered_at, status_code }: Logged) {
  return { id, guid, delivered_at, status_code, event: 'push', action: null, repository_id: 99 }
}
