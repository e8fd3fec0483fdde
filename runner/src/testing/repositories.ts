import { execFileSync, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const git = (directory: string, ...args: string[]): string =>
  execFileSync('git', args, {
    cwd: directory,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: directory,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
    },
  }).trim()

/** A bare repository with some commits. */
export interface TestRepository {
  path: string
  /** Commits on main, oldest first; each writes its number into the file `number`. */
  commits: readonly string[]
  git(...args: string[]): string
}

/** Makes a bare repository below `folder`. */
export const createRepository = (folder: string, commitCount = 3): TestRepository => {
  const path = join(folder, 'repository.git')
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', path)
  const commits: string[] = []
  for (let number = 1; number <= commitCount; number++) {
    const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: path, input: `${number}\n` })
    const tree = execFileSync('git', ['mktree'], { cwd: path, input: `100644 blob ${String(blob).trim()}\tnumber\n` })
    const parent = commits.at(-1)
    const parents = parent === undefined ? [] : ['-p', parent]
    commits.push(git(path, 'commit-tree', String(tree).trim(), ...parents, '-m', `commit ${number}`))
  }
  git(path, 'update-ref', 'refs/heads/main', commits.at(-1) ?? '')
  return { path, commits, git: (...args) => git(path, ...args) }
}

export type GitServer = Disposable & {
  url: string
  authorizations: string[]
  /** How often somebody fetched objects. */
  fetches: number
  /** Bytes of all answers. */
  servedBytes: number
  /** The only accepted login; undefined: everybody is answered. */
  login: { readonly username: string; readonly password: string } | undefined
  /** Awaited before an answer to a fetch. */
  held: Promise<void>
}

/** Serves the repositories below `folder` by `git http-backend`, to this user only, or to everybody. */
export const serveRepositories = async (folder: string, username?: string, password?: string): Promise<GitServer> => {
  const server = createServer((request, response) => {
    const { authorization } = request.headers
    if (authorization !== undefined) served.authorizations.push(authorization)
    const { login } = served
    const basic = login && Buffer.from(`${login.username}:${login.password}`).toString('base64')
    const expected = basic && `Basic ${basic}`
    if (expected !== undefined && authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'] ?? '/usr/bin:/bin',
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        ...(request.headers['content-encoding'] === undefined
          ? {}
          : { HTTP_CONTENT_ENCODING: request.headers['content-encoding'] }),
        ...(typeof request.headers['git-protocol'] === 'string'
          ? { GIT_PROTOCOL: request.headers['git-protocol'] }
          : {}),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    let asked = ''
    let isFetch = false
    request.on('data', (part: Buffer) => {
      asked = (asked + part.toString('latin1')).slice(-10_000)
      if (isFetch || !asked.includes('command=fetch')) return
      isFetch = true
      served.fetches++
    })
    request.pipe(backend.stdin)
    backend.stdin.on('error', () => {})
    const parts: Buffer[] = []
    backend.stdout.on('data', (part: Buffer) => parts.push(part))
    backend.on('close', async () => {
      if (isFetch) await served.held
      const answer = Buffer.concat(parts)
      const border = answer.indexOf('\r\n\r\n')
      const head = answer.toString('latin1', 0, border).split('\r\n')
      served.servedBytes += answer.length
      const headers = Object.fromEntries(head.map((line) => [line.split(': ')[0] ?? '', line.split(': ')[1] ?? '']))
      const { Status: state = '200 OK', ...rest } = headers
      response.writeHead(Number.parseInt(state, 10), rest).end(answer.subarray(border + 4))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  const served: GitServer = {
    url: `http://127.0.0.1:${address.port}`,
    authorizations: [],
    fetches: 0,
    servedBytes: 0,
    login: username === undefined ? undefined : { username, password: password ?? '' },
    held: Promise.resolve(),
    [Symbol.dispose]: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  return served
}
