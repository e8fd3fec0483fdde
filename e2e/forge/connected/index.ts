import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClock, type ForgeClock } from '../clock.ts'
import { readGitPath, readLogin, startGitOverHttp } from '../git/git-over-http.ts'
import {
  createRepositories,
  openPull,
  type Pushed,
  type WantedPull,
  type WantedPush,
  type WantedRepository,
} from '../github/repositories.ts'
import {
  type Account,
  accountOf,
  type Comment,
  createWorld,
  findRepository,
  fullNameOf,
  getRepository,
  newToken,
  type PullRequest,
  type Repository,
  type Role,
  type World,
} from '../github/world.ts'
import type { RecordedCall } from '../http/call.ts'
import { createFaults, type Faults } from '../http/faults.ts'
import { createRouter } from '../http/route.ts'
import { startForgeServer } from '../http/server.ts'
import { createMailbox, type Mailbox } from '../webhooks/mailbox.ts'
import { createAccess, type PersonToken, RANKS } from './access.ts'
import type { Dialect } from './dialect.ts'
import { createConnectedEvents } from './events.ts'
import { forgejo, gitea } from './gitea.ts'
import { gitlab } from './gitlab.ts'
import { connectedRoutes } from './operations.ts'

const DIALECTS: Readonly<Record<Dialect['id'], Dialect>> = { gitea, forgejo, gitlab }

/** A provider without apps: a token of a person stands for everything. */
export interface ConnectedForge {
  readonly url: string
  readonly clock: ForgeClock
  readonly faults: Faults
  readonly mailbox: Mailbox
  readonly calls: readonly RecordedCall[]
  readonly unexpected: readonly string[]
  readonly world: World
  addRepository(fullName: string, wanted?: WantedRepository): Promise<Repository>
  addPerson(login: string): Account
  permit(fullName: string, login: string, role: Role | null): void
  /** A token of a person; the scopes that the product needs by default. `expiresInMs`: by the forge's clock. */
  addToken(login: string, scopes?: readonly string[], expiresInMs?: number): string
  push(fullName: string, wanted?: WantedPush): Promise<Pushed>
  removeBranch(fullName: string, branch: string, by?: string): Promise<void>
  openPull(fullName: string, wanted: WantedPull): Promise<PullRequest>
  closePull(fullName: string, number: number, merged?: boolean): void
  comment(fullName: string, number: number, by: string, body: string): Comment
  editComment(fullName: string, commentId: number, body: string): void
  deleteComment(fullName: string, commentId: number): void
  /** Throws where somebody made a call that nobody expected. */
  assertQuiet(): void
  close(): Promise<void>
}

const SCOPES = { gitea: ['read:user', 'read:organization', 'write:repository', 'write:issue'], gitlab: ['api'] }

export async function startConnected(id: Dialect['id'], { port = 0 } = {}): Promise<ConnectedForge> {
  const dialect = DIALECTS[id]
  const root = mkdtempSync(join(tmpdir(), 'signalbox-forge-'))
  const clock = createClock()
  const faults = createFaults(dialect.api)
  const git = await startGitOverHttp(root)
  const mailbox = createMailbox({
    clock,
    headersOf: (letter, guid, body) => dialect.tellings.headers(letter, { guid, body, at: clock.now() }),
    nextId: () => world.nextId(),
  })
  // The address is known once the server listens.
  const world = createWorld('', clock, mailbox)
  const tokens = new Map<string, PersonToken>()
  const access = createAccess(world, dialect, tokens)
  const events = createConnectedEvents(world, dialect)
  const repositories = createRepositories(world, events, root)
  const server = await startForgeServer({
    clock,
    faults,
    port,
    router: createRouter(connectedRoutes({ world, dialect, access, events })),
    takesStream: (path) =>
      !path.startsWith(`${dialect.api}/`) && readGitPath(path, new URLSearchParams()) !== undefined,
    stream: serveGit,
    refuse: () => undefined,
    answer: (_call, handle) => handle(),
    notFound: () => dialect.notFound,
    malformedBody: () => dialect.wrong('the body is no JSON'),
  })
  world.url = server.url

  /** A token is the password, whatever the user is called. */
  async function serveGit(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const wanted = readGitPath(path, new URL(request.url ?? '/', world.url).searchParams)
    const repository = wanted && findRepository(world, wanted.repository)
    const token = access.findLive(readLogin(request.headers.authorization)?.password)
    if (!token) return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    const role = repository && access.roleOf(token.person, repository)
    if (!repository?.git || !role) return void response.writeHead(404).end()
    if (wanted?.writes && RANKS[role] < RANKS.write) return void response.writeHead(403).end()
    const before = new Map(repository.refs)
    const service = /\/(?:info\/refs|git-[a-z-]+)$/.exec(path)?.[0] ?? ''
    const pushes = path.endsWith('/git-receive-pack')
    const work = git
      .forward(request, response, `/${fullNameOf(repository)}.git${service}`)
      .then(() => (pushes ? repositories.tellPushes(repository, before, token.person) : undefined))
    if (pushes) mailbox.expect(work)
    return work
  }

  function commentOf(fullName: string, commentId: number) {
    const repository = getRepository(world, fullName)
    const comment = repository.comments.get(commentId)
    if (!comment) throw new Error(`The forge has no comment ${commentId}.`)
    return { repository, comment }
  }

  return {
    url: server.url,
    clock,
    faults,
    mailbox,
    calls: server.calls,
    unexpected: server.unexpected,
    world,
    addRepository: repositories.add,
    addPerson: (login) => accountOf(world, login),
    permit(fullName, login, role) {
      const { roles } = getRepository(world, fullName)
      const account = accountOf(world, login)
      if (role) roles.set(account.id, role)
      else roles.delete(account.id)
    },
    addToken(login, scopes = id === 'gitlab' ? SCOPES.gitlab : SCOPES.gitea, expiresInMs = undefined) {
      const value = newToken(id === 'gitlab' ? 'glpat' : 'gta')
      const expiresAt = expiresInMs === undefined ? null : clock.now() + expiresInMs
      tokens.set(value, { value, person: accountOf(world, login), scopes, expiresAt })
      return value
    },
    push: repositories.push,
    removeBranch: (fullName, branch, by) => repositories.remove(fullName, `refs/heads/${branch}`, by),
    openPull: (fullName, wanted) => openPull(world, events, fullName, wanted),
    closePull(fullName, number, merged = false) {
      const repository = getRepository(world, fullName)
      const pull = repository.pulls.get(number)
      if (!pull) throw new Error(`${fullName} has no pull request ${number}.`)
      events.closePull(repository, pull, merged)
    },
    comment: (fullName, number, by, body) =>
      events.addComment(getRepository(world, fullName), { number, author: accountOf(world, by), body }),
    editComment(fullName, commentId, body) {
      const { repository, comment } = commentOf(fullName, commentId)
      events.editComment(repository, comment, body)
    },
    deleteComment(fullName, commentId) {
      const { repository, comment } = commentOf(fullName, commentId)
      events.deleteComment(repository, comment)
    },
    assertQuiet() {
      if (server.unexpected.length > 0)
        throw new Error(`Unexpected calls of the forge:\n${server.unexpected.join('\n')}`)
    },
    async close() {
      await mailbox.settle()
      await server.close()
      git.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
