import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'

export interface FakePull {
  readonly number: number
  readonly head: string
  readonly updatedAt: string
  readonly fork?: boolean
}

interface FakeRepository {
  /** Commits by branch. */
  readonly branches: Map<string, string>
  readonly pulls: Map<number, FakePull>
}

/** The heads that a Gitea shows over real HTTP: branches and open pull requests, in pages of ten. */
export interface HeadsDouble {
  readonly url: string
  readonly repositories: Map<string, FakeRepository>
  /** Paths that were asked for. */
  asked: string[]
  tokens: Set<string | undefined>
  /** In place of every answer, or of those about one repository. */
  answer:
    | {
        readonly status: number
        readonly headers?: Record<string, string>
        readonly of?: string
        /** Of one list alone. */
        readonly list?: 'branches' | 'pulls'
        readonly body?: string
      }
    | undefined
  /** Between the question and the answer about branches. */
  meanwhile: (() => Promise<unknown>) | undefined
  close(): void
}

const PATH = /^\/api\/v1\/repos\/([^/]+\/[^/]+)\/(branches|pulls)$/
const PAGE = 10

export async function startHeads(): Promise<HeadsDouble> {
  const double: HeadsDouble = {
    url: '',
    repositories: new Map(),
    asked: [],
    tokens: new Set(),
    answer: undefined,
    meanwhile: undefined,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const reply = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
    }
    double.asked.push(pathname)
    double.tokens.add(request.headers.authorization)
    const [, name = '', list] = PATH.exec(pathname) ?? []
    const { answer } = double
    if (answer && (answer.of ?? name) === name && (answer.list ?? list) === list) {
      return reply(answer.status, answer.body ?? { message: 'not now' }, answer.headers)
    }
    const repository = double.repositories.get(name)
    if (!repository) return reply(404, { message: 'Not Found' })
    const all =
      list === 'branches'
        ? [...repository.branches].map(([branch, id]) => ({ name: branch, commit: { id } }))
        : [...repository.pulls.values()].map((pull) => describePull(name, pull))
    const at = (Number(searchParams.get('page') ?? 1) - 1) * PAGE
    const link = at + PAGE < all.length ? { link: '<http://localhost:3000/next>; rel="next"' } : {}
    const send = () => reply(200, all.slice(at, at + PAGE), link)
    const { meanwhile } = double
    if (!meanwhile || list !== 'branches') return send()
    double.meanwhile = undefined
    return void meanwhile().then(send)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  Object.assign(double, { url: `http://127.0.0.1:${address.port}` })
  return double
}

/** As the API and the webhooks of Gitea describe it. */
export function describePull(repository: string, { number, head, updatedAt, fork }: FakePull) {
  const repo = { id: 140, full_name: repository }
  const from = fork ? { id: 990, full_name: 'mallory/widgets' } : repo
  return {
    number,
    title: `Pull ${number}`,
    state: 'open',
    draft: false,
    labels: [],
    merged: false,
    user: { id: 5, login: 'mona' },
    updated_at: updatedAt,
    head: { ref: 'topic', sha: head, repo_id: from.id, repo: from },
    base: { ref: 'main', sha: 'a'.repeat(40), repo_id: repo.id, repo },
  }
}
