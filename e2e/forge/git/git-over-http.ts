import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { serveRepositories } from '../../../runner/src/testing/repositories.ts'

/** `git http-backend` behind the forge: the forge decides who may do what, and hands the request on without its login. */
export interface GitOverHttp {
  /** Resolves when the answer is sent. */
  forward(incoming: IncomingMessage, response: ServerResponse, path: string): Promise<void>
  close(): void
}

export async function startGitOverHttp(folder: string): Promise<GitOverHttp> {
  const backend = await serveRepositories(folder)
  return {
    forward(incoming, response, path) {
      const { authorization: _, ...headers } = incoming.headers
      const { search } = new URL(incoming.url ?? '/', 'http://forge')
      return new Promise((resolve) => {
        const outgoing = request(`${backend.url}${path}${search}`, { method: incoming.method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        })
        response.on('close', () => resolve())
        outgoing.on('error', () => response.destroy())
        incoming.pipe(outgoing)
      })
    },
    close: () => backend[Symbol.dispose](),
  }
}

/** The name and the service of a request of Git; undefined: it is none. */
export function readGitPath(path: string, query: URLSearchParams): { repository: string; writes: boolean } | undefined {
  const [, repository, rest] = /^\/(.+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(path) ?? []
  if (repository === undefined) return undefined
  const service = rest === 'info/refs' ? query.get('service') : rest
  return { repository: decodeURIComponent(repository), writes: service === 'git-receive-pack' }
}

/** The login of HTTP Basic; undefined without one. */
export function readLogin(header: string | undefined): { username: string; password: string } | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const plain = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = plain.indexOf(':')
  return colon === -1 ? undefined : { username: plain.slice(0, colon), password: plain.slice(colon + 1) }
}
