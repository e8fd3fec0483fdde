import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const ZERO = '0'.repeat(40)

export interface Author {
  readonly name: string
  readonly email: string
}

export interface WantedCommit {
  /** Full: refs/heads/main. */
  readonly ref: string
  /** Undefined: the present head of the ref; null: none. */
  readonly parent?: string | null
  /** The contents of files by their paths; null removes one. */
  readonly files: Readonly<Record<string, string | null>>
  readonly message: string
  readonly author: Author
  readonly at: number
}

export interface ChangedFile {
  readonly filename: string
  readonly status: 'added' | 'modified' | 'removed'
  readonly additions: number
  readonly deletions: number
  /** Of the blob. */
  readonly sha: string
}

export interface FoundCommit {
  readonly id: string
  readonly treeId: string
  readonly parents: readonly string[]
  readonly message: string
  readonly timestamp: string
  readonly author: Author
}

/** A real bare repository of Git. Each call runs `git`. */
export interface BareRepository {
  readonly folder: string
  /** Answers the commit's name; the ref leads to it. */
  commit(wanted: WantedCommit): Promise<string>
  /** The commits of all refs below `refs/heads/` and `refs/tags/`, by the full name of the ref. */
  listRefs(): Promise<ReadonlyMap<string, string>>
  setRef(ref: string, sha: string | null): Promise<void>
  /** Copies a commit of another repository here, as `ref`. */
  take(from: BareRepository, sha: string, ref: string): Promise<void>
  /** Of `to` since it left `from`. */
  listChanges(from: string, to: string): Promise<readonly ChangedFile[]>
  /** Those of `to` that `from` lacks, oldest first, at most 20. */
  listCommits(from: string, to: string): Promise<readonly FoundCommit[]>
  /** Whether `sha` is among the commits of `head`. */
  contains(sha: string, head: string): Promise<boolean>
  /** Undefined: there is none. */
  findCommit(sha: string): Promise<FoundCommit | undefined>
}

export async function openRepository(folder: string, defaultBranch: string): Promise<BareRepository> {
  await mkdir(folder, { recursive: true })
  const git = async (...words: readonly string[]): Promise<string> => {
    const { stdout } = await run('git', [...words], {
      cwd: folder,
      env: environment(folder),
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout
  }
  await git('init', '--quiet', '--bare', `--initial-branch=${defaultBranch}`)
  await git('config', 'http.receivepack', 'true')
  await git('config', 'uploadpack.allowAnySHA1InWant', 'true')

  const findRef = (ref: string): Promise<string | undefined> =>
    git('rev-parse', '--verify', '--quiet', '--end-of-options', ref)
      .then((found) => found.trim())
      .catch(() => undefined)

  return {
    folder,
    async commit(wanted) {
      const parent = wanted.parent === undefined ? await findRef(wanted.ref) : (wanted.parent ?? undefined)
      await importStream(folder, streamOf(wanted, parent))
      return (await git('rev-parse', '--verify', '--end-of-options', wanted.ref)).trim()
    },
    async listRefs() {
      const lines = (await git('for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/', 'refs/tags/')).trim()
      return new Map(lines === '' ? [] : lines.split('\n').map((line) => [line.slice(41), line.slice(0, 40)]))
    },
    async setRef(ref, sha) {
      await git('update-ref', ...(sha === null ? ['-d', ref] : [ref, sha]))
    },
    async take(from, sha, ref) {
      await git('fetch', '--quiet', from.folder, `+${sha}:${ref}`)
    },
    async listChanges(from, to) {
      // A tree, such as the empty one, has no base with a commit.
      const base = await git('merge-base', from, to)
        .then((found) => found.trim())
        .catch(() => from)
      const raw = await git('diff', '--raw', '--numstat', '--no-renames', '--abbrev=40', base, to)
      return readChanges(raw)
    },
    async listCommits(from, to) {
      const range = from === ZERO ? ['-1', to] : [`${from}..${to}`]
      return readCommits(await git('log', '--reverse', '-20', LOG_FORMAT, ...range))
    },
    contains: (sha, head) =>
      git('merge-base', '--is-ancestor', sha, head)
        .then(() => true)
        .catch(() => false),
    async findCommit(sha) {
      if (!/^[0-9a-f]{40}$/.test(sha)) return undefined
      const found = await git('log', '-1', LOG_FORMAT, sha).catch(() => '')
      return readCommits(found)[0]
    },
  }
}

function environment(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
}

async function importStream(folder: string, stream: Buffer): Promise<void> {
  const child = spawn('git', ['fast-import', '--quiet', '--force'], {
    cwd: folder,
    env: environment(folder),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  child.stdin.end(stream)
  const [fault, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  if (code !== 0) throw new Error(`git fast-import: ${fault}`)
}

function streamOf({ ref, files, message, author, at }: WantedCommit, parent: string | undefined): Buffer {
  const person = `${author.name} <${author.email}> ${Math.floor(at / 1000)} +0000`
  const parts = [`commit ${ref}\nauthor ${person}\ncommitter ${person}\n`, data(message)]
  if (parent !== undefined) parts.push(`from ${parent}\n`)
  for (const [path, content] of Object.entries(files)) {
    if (content === null) parts.push(`D ${JSON.stringify(path)}\n`)
    else parts.push(`M 100644 inline ${JSON.stringify(path)}\n`, data(content))
  }
  return Buffer.from(`${parts.join('')}\n`)
}

function data(content: string): string {
  return `data ${Buffer.byteLength(content)}\n${content}\n`
}

const STATUSES: Readonly<Record<string, ChangedFile['status']>> = { A: 'added', D: 'removed' }

function readChanges(raw: string): readonly ChangedFile[] {
  const lines = raw.split('\n')
  const counts = new Map(
    lines.flatMap((line) => {
      const [, added = '0', removed = '0', name] = /^(\d+|-)\t(\d+|-)\t(.+)$/.exec(line) ?? []
      return name === undefined ? [] : [[name, { additions: Number(added) || 0, deletions: Number(removed) || 0 }]]
    }),
  )
  return lines.flatMap((line) => {
    const [, before, after, letter = '', filename] =
      /^:\d+ \d+ ([0-9a-f]{40}) ([0-9a-f]{40}) ([A-Z])\d*\t(.+)$/.exec(line) ?? []
    if (filename === undefined || before === undefined || after === undefined) return []
    const { additions, deletions } = counts.get(filename) ?? { additions: 0, deletions: 0 }
    const sha = after === ZERO ? before : after
    return [{ filename, status: STATUSES[letter] ?? 'modified', additions, deletions, sha }]
  })
}

const LOG_FORMAT = '--format=%H%x00%T%x00%P%x00%an%x00%ae%x00%cI%x00%B%x01'

function readCommits(log: string): readonly FoundCommit[] {
  return log.split('\u0001').flatMap((entry) => {
    const [id, treeId = '', parents = '', name = '', email = '', timestamp = '', message = ''] = entry
      .trim()
      .split('\0')
    if (id === undefined || id === '') return []
    const listed = parents.split(' ').filter((parent) => parent !== '')
    return [{ id, treeId, parents: listed, author: { name, email }, timestamp, message: message.trim() }]
  })
}
