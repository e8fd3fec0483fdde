import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Repeated } from '../../ui/src/client/repeated.ts'
import { isPagesOrder, type OpenPage, type PagesReport } from './open-pages.ts'

// Open pages without a browser: each follows its topics and reads again as the page does, over HTTP of its own.

let heard: [id: string, at: number][] = []
let reads = 0
let failures: Record<string, number> = {}
let closing = new AbortController()
/** As a browser over plain http: six connections for each address. */
const CONNECTIONS = 6

/** Resolves when the page is told of changes. */
function open(url: string, { token, topics, reads: paths, gatherMs = 0 }: OpenPage): Promise<void> {
  const { signal } = closing
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS - 1 })
  signal.addEventListener('abort', () => agent.destroy(), { once: true })
  const headers = { authorization: `Bearer ${token}` }
  const read = (path: string): Promise<void> =>
    new Promise((resolve) => {
      const request = get(`${url}${path}`, { agent, headers, signal }, (response) => {
        response.resume().on('end', () => {
          if (response.statusCode === 200) reads += 1
          else fail(String(response.statusCode))
          resolve()
        })
      })
      request.on('error', (error) => {
        if (!signal.aborted) fail(error.message)
        resolve()
      })
    })
  const reading = new Repeated(async () => {
    if (gatherMs > 0) await sleep(gatherMs)
    if (!signal.aborted) await Promise.all(paths.map(read))
  })
  return new Promise((resolve, reject) => {
    const stream = get(
      `${url}/v1/live?topics=${encodeURIComponent(topics.join(','))}`,
      { headers, signal },
      (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`GET /v1/live: ${answer.statusCode}`))
        follow(answer, (event, data) => {
          if (event === 'ready') resolve()
          const { id } = data
          if (typeof id === 'string') heard.push([id, performance.timeOrigin + performance.now()])
          reading.ask()
        })
        answer.on('close', () => {
          if (!signal.aborted) fail('the stream ended')
        })
      },
    )
    stream.on('error', (error) => (signal.aborted ? resolve() : reject(error)))
  })
}

function follow(answer: IncomingMessage, tell: (event: string, data: { readonly id?: unknown }) => void): void {
  let text = ''
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    const frames = (text + chunk).split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const event = /^event: (.*)$/m.exec(frame)?.[1]
      const data = /^data: (.*)$/m.exec(frame)?.[1]
      if (event !== undefined && data !== undefined) tell(event, JSON.parse(data))
    }
  })
}

function fail(what: string): void {
  failures[what] = (failures[what] ?? 0) + 1
}

function takeReport(): PagesReport {
  const report = { heard, reads, failures }
  heard = []
  reads = 0
  failures = {}
  return report
}

process.on('message', (message) => {
  if (!isPagesOrder(message)) return
  switch (message.order) {
    case 'open':
      Promise.all(message.pages.map((page) => open(message.url, page))).then(
        () => process.send?.('opened'),
        (error: unknown) => process.send?.({ failed: String(error) }),
      )
      break
    case 'report':
      process.send?.(takeReport())
      break
    case 'close':
      closing.abort()
      closing = new AbortController()
      process.send?.('closed')
  }
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
