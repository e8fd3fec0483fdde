import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A real bare repository with a work tree beside it, pushed to with real git. */
export interface Repository {
  readonly cloneUrl: string
  /** Writes the files, commits and pushes; answers the commits before and after. */
  push(files: Readonly<Record<string, string>>, message: string): { before: string; after: string }
}

const ZERO = '0'.repeat(40)

/** A folder for repositories that the account which runs tasks may pass through. */
export function makeGitFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-git-'))
  chmodSync(folder, 0o711)
  return folder
}

export function makeRepository(folder: string): Repository {
  const bare = join(folder, 'origin.git')
  const tree = join(folder, 'tree')
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync('git', args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@example.invalid',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@example.invalid',
      },
    }).trim()
  mkdirSync(bare, { recursive: true, mode: 0o755 })
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', bare)
  git(bare, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
  git(folder, 'init', '--quiet', '--initial-branch=main', tree)
  git(tree, 'remote', 'add', 'origin', bare)
  chmodSync(folder, 0o755)
  let head = ZERO
  return {
    cloneUrl: `file://${bare}`,
    push(files, message) {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(tree, name)), { recursive: true })
        writeFileSync(join(tree, name), text)
      }
      git(tree, 'add', '-A')
      git(tree, 'commit', '--quiet', '--allow-empty', '-m', message)
      git(tree, 'push', '--quiet', 'origin', 'HEAD:main')
      const before = head
      head = git(tree, 'rev-parse', 'HEAD')
      return { before, after: head }
    },
  }
}
