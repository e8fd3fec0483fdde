import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { serveRepositories } from '../../runner/src/testing/repositories.ts'

/** A provider: real repositories below a folder, served over HTTP by real Git, and an API that records its calls. */
export interface GitHost {
  readonly url: string
  readonly folder: string
  /** The credentials that may read repositories and ask the API. */
  readonly username: string
  readonly password: string
  /** From now on a GET of that path, which begins with `/api/`, is answered so. */
  answer(path: string, body: unknown): void
  /** The bodies that the API was sent there, `POST /api/...`, oldest first. */
  told(line: string): readonly unknown[]
  /** Whether everything is answered with 503 from now on. */
  breakDown(broken: boolean): void
  close(): void
}

/** A control plane believes in it only with `PROVIDER_HOSTS` 127.0.0.1. */
export async function startGitHost(): Promise<GitHost> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-git-host-'))
  const [username, password] = ['reader', randomBytes(12).toString('hex')]
  const git = await serveRepositories(folder, username, password)
  const answers = new Map<string, unknown>()
  const told: { readonly line: string; readonly body: unknown }[] = []
  let broken = false
  const server = createServer(async (incoming, response) => {
    const { url = '', method, headers } = incoming
    if (broken) return void response.writeHead(503).end()
    if (!url.startsWith('/api/')) return forward(git.url, incoming, response)
    if (headers.authorization !== `Bearer ${password}`) return void response.writeHead(401).end()
    if (method === 'GET') return answerWith(response, 200, answers.get(url))
    told.push({ line: `${method} ${url}`, body: JSON.parse(await text(incoming)) })
    answerWith(response, 201, {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The provider has no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    folder,
    username,
    password,
    answer: (path, body) => void answers.set(path, body),
    told: (line) => told.filter((one) => one.line === line).map(({ body }) => body),
    breakDown: (value) => void (broken = value),
    close() {
      server.close()
      server.closeAllConnections()
      git[Symbol.dispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function answerWith(response: ServerResponse, status: number, body: unknown): void {
  if (body === undefined) response.writeHead(404).end()
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function forward(to: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url } = incoming
  const outgoing = request(`${to}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  outgoing.on('error', () => response.destroy())
  incoming.pipe(outgoing)
}
