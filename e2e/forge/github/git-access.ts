import type { IncomingMessage, ServerResponse } from 'node:http'
import { type GitOverHttp, readGitPath, readLogin } from '../git/git-over-http.ts'
import { Refusal } from '../http/call.ts'
import { findLiveToken, holds, sees } from './caller.ts'
import type { Repositories } from './repositories.ts'
import { findRepository, fullNameOf, type Token, type World } from './world.ts'

interface GitParts {
  readonly world: World
  readonly git: GitOverHttp
  readonly repositories: Repositories
}

/** Git over HTTP: a token is the password, whatever the user is called; GitHub documents x-access-token. */
export async function serveGit(
  { world, git, repositories }: GitParts,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const { searchParams: query } = new URL(request.url ?? '/', world.url)
  const wanted = readGitPath(path, query)
  const repository = wanted && findRepository(world, wanted.repository)
  const token = findToken(world, readLogin(request.headers.authorization)?.password)
  const needed = ['contents', wanted?.writes ? 'write' : 'read'] as const
  const anonymous = repository && !repository.private && !wanted?.writes
  if (token === 'refused' || (!token && !anonymous)) {
    return void response.writeHead(401, { 'www-authenticate': 'Basic realm="GitHub"' }).end()
  }
  if (!repository?.git || (token && !sees(token, repository))) return void response.writeHead(404).end('Not Found')
  if (token && !holds(token, repository, needed)) return void response.writeHead(403).end('Write access not granted.')
  const [pushed, name, before] = [repository, fullNameOf(repository), new Map(repository.refs)]
  const sender = token ? token.person : repository.owner
  const service = /\/(?:info\/refs|git-[a-z-]+)$/.exec(path)?.[0] ?? ''
  const work = forward()
  if (path.endsWith('/git-receive-pack')) world.mailbox.expect(work)
  return work

  async function forward(): Promise<void> {
    await git.forward(request, response, `/${name}.git${service}`)
    if (path.endsWith('/git-receive-pack')) await repositories.tellPushes(pushed, before, sender)
  }
}

function findToken(world: World, password: string | undefined): Token | 'refused' | undefined {
  if (password === undefined) return undefined
  try {
    return findLiveToken(world, password)
  } catch (error) {
    if (error instanceof Refusal) return 'refused'
    throw error
  }
}
