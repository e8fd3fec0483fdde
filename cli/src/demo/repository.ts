import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { PushedCommit } from './github-push.ts'
import { SAMPLE_FILES } from './sample-project.ts'

const execute = promisify(execFile)

const ZERO = '0'.repeat(40)
const AUTHOR = { name: 'Ada Baker', email: 'ada@example.com' }

export interface RepositoryPush {
  readonly before: string
  readonly after: string
  readonly commit: PushedCommit
}

export interface Repository {
  /** An address that Git can clone from. */
  readonly cloneUrl: string
  readonly folder: string
  /** Commits a change of the sample project, or all of it at first, and pushes it to main. */
  push(): Promise<RepositoryPush>
}

/** A real bare repository and a work tree beside it, made with real git; found again by a second start. */
export async function openRepository(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Repository> {
  const bare = join(folder, 'bakery.git')
  const tree = join(folder, 'bakery')
  // The person's own settings (signing, hooks, templates) have no part in it.
  const gitEnv = {
    PATH: env['PATH'],
    LANG: 'C',
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: AUTHOR.name,
    GIT_AUTHOR_EMAIL: AUTHOR.email,
    GIT_COMMITTER_NAME: AUTHOR.name,
    GIT_COMMITTER_EMAIL: AUTHOR.email,
  }
  const git = async (cwd: string, ...args: readonly string[]): Promise<string> =>
    (await execute('git', [...args], { cwd, env: gitEnv })).stdout.trim()

  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(bare, 'HEAD'))) {
    // Others may read it, whatever the umask is here: tasks run as another account.
    await git(folder, 'init', '--quiet', '--bare', '--shared=0644', '--initial-branch=main', bare)
    // A runner fetches the commit of the event, which need not be the tip any more.
    await git(bare, 'config', 'uploadpack.allowReachableSHA1InWant', 'true')
  }
  if (!existsSync(join(tree, '.git'))) await git(folder, 'clone', '--quiet', bare, tree)

  const head = (): Promise<string> => git(bare, 'rev-parse', '--verify', '--quiet', 'refs/heads/main').catch(() => ZERO)
  return {
    cloneUrl: pathToFileURL(bare).href,
    folder: tree,
    async push() {
      const before = await head()
      const change = before === ZERO ? addEverything(tree) : raisePrices(tree, await countCommits())
      await git(tree, 'add', '--all')
      await git(tree, 'commit', '--quiet', '-m', change.message)
      await git(tree, 'push', '--quiet', 'origin', 'HEAD:main')
      const after = await git(tree, 'rev-parse', 'HEAD')
      const timestamp = await git(tree, 'show', '--no-patch', '--format=%cI', 'HEAD')
      return { before, after, commit: { id: after, timestamp, author: AUTHOR, removed: [], ...change } }
    },
  }

  async function countCommits(): Promise<number> {
    return Number(await git(bare, 'rev-list', '--count', 'main'))
  }
}

type Change = Pick<PushedCommit, 'message' | 'added' | 'modified'>

function addEverything(tree: string): Change {
  for (const [name, { text, executable }] of Object.entries(SAMPLE_FILES)) {
    const path = join(tree, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    if (executable) chmodSync(path, 0o755)
  }
  return { message: 'A price list and what checks it', added: Object.keys(SAMPLE_FILES), modified: [] }
}

function raisePrices(tree: string, round: number): Change {
  const cents = 420 + 10 * round
  writeFileSync(join(tree, 'prices.csv'), `name,cents\nbread,${cents}\nroll,60\npretzel,150\ncake,2900\n`)
  return { message: `Bread costs ${(cents / 100).toFixed(2)}`, added: [], modified: ['prices.csv'] }
}
