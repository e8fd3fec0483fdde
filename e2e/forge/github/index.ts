import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClock, type ForgeClock } from '../clock.ts'
import { type GitOverHttp, readGitPath, startGitOverHttp } from '../git/git-over-http.ts'
import type { RecordedCall } from '../http/call.ts'
import { createFaults, type Faults } from '../http/faults.ts'
import { createRouter, type Route } from '../http/route.ts'
import { startForgeServer } from '../http/server.ts'
import { createMailbox, type Mailbox } from '../webhooks/mailbox.ts'
import { createEvents, deliveryHeaders } from './events.ts'
import { answerCall, findGeneralFault } from './every-call.ts'
import { serveGit } from './git-access.ts'
import { createInstalling } from './installing.ts'
import { createPeople, type People } from './people.ts'
import { pullPageRoutes } from './pull-page.ts'
import { problem } from './refusals.ts'
import { createRepositories } from './repositories.ts'
import { appRoutes } from './routes/app.ts'
import { checkRoutes } from './routes/checks.ts'
import { hookRoutes } from './routes/hooks.ts'
import { repositoryRoutes } from './routes/repositories.ts'
import { tellingRoutes } from './routes/telling.ts'
import { pageRoutes } from './web-pages.ts'
import { createWorld, type World } from './world.ts'

export const API = '/api/v3'

/** A GitHub Enterprise Server on this machine: pages at `url`, its API below `url`/api/v3, Git at `url`/owner/name.git. */
export interface GithubForge extends People {
  readonly url: string
  readonly clock: ForgeClock
  readonly faults: Faults
  /** What the forge sends, and what goes wrong with it. */
  readonly mailbox: Mailbox
  /** Every call that came, oldest first. */
  readonly calls: readonly RecordedCall[]
  /** All that it knows, to look at. */
  readonly world: World
  /** Each of the next installation tokens is refused so many times, as GitHub does while it spreads. */
  refuseFreshTokens(calls: number): void
  /** Sentences about calls that nobody expected. */
  readonly unexpected: readonly string[]
  /** Throws where there was one. */
  assertQuiet(): void
  close(): Promise<void>
}

export interface GithubOptions {
  /** Any free one by default. */
  readonly port?: number
  /** Where repositories of Git lie; a folder that goes with the forge by default. */
  readonly folder?: string
}

export async function startGithub({ port = 0, folder }: GithubOptions = {}): Promise<GithubForge> {
  const own = folder === undefined ? mkdtempSync(join(tmpdir(), 'signalbox-forge-')) : undefined
  const root = folder ?? own ?? tmpdir()
  const clock = createClock()
  const faults = createFaults(API)
  const git = await startGitOverHttp(root)
  const mailbox = createMailbox({
    clock,
    headersOf: (letter, guid, body) => deliveryHeaders(world, letter, guid, body),
    nextId: () => world.nextId(),
  })
  // The address is known once the server listens, and nobody calls before.
  const world = createWorld('', clock, mailbox)
  const events = createEvents(world)
  const repositories = createRepositories(world, events, root)
  const installing = createInstalling(world, events)
  const server = await startForgeServer({
    clock,
    faults,
    port,
    router: createRouter([
      ...githubRoutes(world, events),
      ...pageRoutes(world, installing),
      ...pullPageRoutes(world, events),
    ]),
    takesStream: (path) => !path.startsWith(`${API}/`) && readGitPath(path, new URLSearchParams()) !== undefined,
    stream: (request, response, path) => serveGit({ world, git, repositories }, request, response, path),
    refuse: (call) => (call.path.startsWith(`${API}/`) ? findGeneralFault(call) : undefined),
    answer: (call, handle) => answerCall(world, call, handle),
    notFound: () => problem(404, 'Not Found'),
    malformedBody: () => problem(400, 'Problems parsing JSON'),
  })
  world.url = server.url
  return {
    ...createPeople({ world, events, repositories, installing }),
    url: server.url,
    clock,
    faults,
    mailbox,
    calls: server.calls,
    unexpected: server.unexpected,
    world,
    refuseFreshTokens: (calls) => void (world.freshTokenRefusals = calls),
    assertQuiet() {
      if (server.unexpected.length > 0)
        throw new Error(`Unexpected calls of the forge:\n${server.unexpected.join('\n')}`)
    },
    async close() {
      await mailbox.settle()
      await server.close()
      closeGit(git, own)
    },
  }
}

/** The operations of the API, with their paths below it. */
export function githubRoutes(world: World, events: ReturnType<typeof createEvents>): readonly Route[] {
  const routes = [
    ...appRoutes(world),
    ...repositoryRoutes(world),
    ...tellingRoutes(world, events),
    ...checkRoutes(world, events),
    ...hookRoutes(world, events),
  ]
  return routes.map((route) => ({ ...route, path: `${API}${route.path}` }))
}

function closeGit(git: GitOverHttp, folder: string | undefined): void {
  git.close()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
}
