import { rm } from 'node:fs/promises'
import type { Account } from './account.ts'
import { gitEnvironment } from './git-environment.ts'
import { type GitEnd, type GitRun, runGit } from './git-process.ts'
import type {
  BlobReading,
  BlobSearch,
  CommitAt,
  CommitSearch,
  GitFailure,
  OpenRepository,
  PathsBase,
  PathsReading,
  RepositoryAddress,
} from './port.ts'

/** Trees of one commit of a very large repository come to some 50 MB; histories of commits without trees to more. */
const MAX_FETCH_BYTES = 256 * 1024 * 1024
const FETCH_MS = 60_000
const LOCAL_MS = 15_000
const MAX_TREE_OUTPUT = 64 * 1024
const MAX_PATHS_OUTPUT = 1024 * 1024
/** A merge base that lies deeper is not looked for: the list then counts as unknown. */
const DEPTHS = [100, 2_000]

type Git = (args: readonly string[], limits?: Partial<GitRun>) => Promise<GitEnd>

/** Where a repository is read. */
export interface ReadingPlace {
  /** Empty, of this repository alone, and the account's own. */
  readonly directory: string
  readonly account: Account | undefined
  /** The PATH that git is found by. */
  readonly path: string
}

export async function openRepository(
  address: RepositoryAddress,
  { directory, account, path }: ReadingPlace,
): Promise<OpenRepository> {
  const environment = gitEnvironment(address, directory, path)
  const git: Git = (args, limits) =>
    runGit(
      {
        directory,
        account,
        environment,
        signal: address.signal,
        timeoutMs: LOCAL_MS,
        maxOutput: MAX_TREE_OUTPUT,
        maxFileBytes: MAX_FETCH_BYTES,
        ...limits,
      },
      args,
    )
  const ready = await prepare(git, address.cloneUrl)
  const failure = ready.ok ? undefined : failed('The repository cannot be read', ready)
  return {
    findCommit: async (ref) => failure ?? (await findCommit(git, ref)),
    findBlob: async (at, file) => failure ?? (await findBlob(git, at, file)),
    readBlob: async (blobId, maxBytes) => failure ?? (await readBlob(git, blobId, maxBytes)),
    listChangedPaths: async (at, base) => failure ?? (await listChangedPaths(git, at, base)),
    close: () => rm(directory, { recursive: true, force: true, maxRetries: 3 }),
  }
}

async function prepare(git: Git, cloneUrl: string): Promise<GitEnd> {
  const init = await git(['init', '--quiet', '--bare', '--template='])
  if (!init.ok) return init
  // A partial copy: missing objects are fetched when they are used.
  for (const [key, value] of [
    ['remote.origin.url', cloneUrl],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.partialCloneFilter', 'tree:0'],
    ['extensions.partialClone', 'origin'],
  ] as const) {
    const set = await git(['config', key, value])
    if (!set.ok) return set
  }
  return git(['config', 'core.repositoryFormatVersion', '1'])
}

type Fetched = { readonly outcome: 'fetched'; readonly commitSha: string } | GitFailure

/**
 * By its id; where a server refuses that, through its ref. The id of an annotated tag stands for the commit that the
 * tag names, also through further tags. A new commit that the server lacks may come yet. Providers tell of a commit
 * before all of their own servers have it; until then an existing ref points where it did before.
 */
async function fetchCommit(
  git: Git,
  at: CommitAt,
  { filter, depth, age = 'new' }: { readonly filter: string; readonly depth: number; readonly age?: 'new' | 'old' },
): Promise<Fetched> {
  const fetch = (what: string) =>
    git(
      [
        'fetch',
        '--quiet',
        '--no-tags',
        '--no-recurse-submodules',
        '--no-write-fetch-head',
        `--filter=${filter}`,
      ].concat(`--depth=${depth}`, '--end-of-options', 'origin', what),
      { timeoutMs: FETCH_MS },
    )
  const fetched = 'refs/signalbox/at'
  const mayCome = age === 'new'
  let last: GitEnd | undefined
  if (at.commitSha !== null) {
    last = await fetch(at.commitSha)
    if (last.ok) return peel(git, at.commitSha, { reason: 'The object is not what was asked for.', retry: false })
  }
  if (at.ref !== null) {
    last = await fetch(`+${at.ref}:${fetched}`)
    const elsewhere = `The server does not give out that commit, and ${at.ref} is at another one.`
    if (last.ok) return peel(git, at.commitSha ?? fetched, { reason: elsewhere, retry: mayCome })
  }
  const failure = failed('The commit cannot be fetched', last)
  const absent = last?.ok === false && last.absent === true
  return mayCome && absent ? { ...failure, retry: true } : failure
}

/**
 * A full id means the object itself, whatever refs are called: it resolves only once exactly that object is here.
 * `absent` is the answer where it is not.
 */
async function peel(git: Git, name: string, absent: Omit<GitFailure, 'outcome'>): Promise<Fetched> {
  // The first question: both questions fetch a missing commit, and a commit that arrives between them must not count as
  // absent.
  const here = await git(['cat-file', '-e', name], { timeoutMs: FETCH_MS })
  if (!here.ok) return { outcome: 'failed', ...absent }
  const commit = await git(['rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`])
  if (commit.ok) return { outcome: 'fetched', commitSha: commit.stdout.toString('latin1').trim() }
  return { outcome: 'failed', reason: 'The name asked for is neither a commit nor a tag of one.', retry: false }
}

/**
 * For an annotated tag, the commit that it names: the server lists the commit beside the tag, with `^{}` behind the
 * ref.
 */
async function findCommit(git: Git, ref: string): Promise<CommitSearch> {
  const what = ['--end-of-options', 'origin', ref, `${ref}^{}`]
  const listed = await git(['ls-remote', '--quiet', ...what], { timeoutMs: FETCH_MS })
  if (!listed.ok) return failed(`${ref} cannot be looked up`, listed)
  const lines = listed.stdout.toString('utf8').split('\n')
  // A server lists every ref that ends so.
  const idOf = (name: string): string | undefined =>
    lines.map((line) => /^([0-9a-f]{40,64})\t(.+)$/.exec(line)).find((found) => found?.[2] === name)?.[1]
  const commitSha = idOf(`${ref}^{}`) ?? idOf(ref)
  if (commitSha !== undefined) return { outcome: 'found', commitSha }
  return { outcome: 'failed', reason: `The repository has no ${ref}.`, retry: false }
}

async function findBlob(git: Git, at: CommitAt, path: string): Promise<BlobSearch> {
  const fetched = await fetchCommit(git, at, { filter: 'tree:0', depth: 1 })
  if (fetched.outcome === 'failed') return fetched
  const { commitSha } = fetched
  const listed = await git(['ls-tree', '-z', '--full-tree', commitSha, '--', path], { timeoutMs: FETCH_MS })
  if (!listed.ok) return failed('The files of the commit cannot be listed', listed)
  const entry = /^(\d{6}) (\w+) ([0-9a-f]{40,64})\t/.exec(listed.stdout.toString('latin1'))
  // The author of a link could point it anywhere.
  if (!entry || entry[2] !== 'blob' || entry[1] === '120000') return { outcome: 'absent', commitSha }
  return { outcome: 'found', commitSha, blobId: entry[3] ?? '' }
}

async function readBlob(git: Git, blobId: string, maxBytes: number): Promise<BlobReading> {
  const bounds = { timeoutMs: FETCH_MS, maxOutput: maxBytes, maxFileBytes: maxBytes + 64 * 1024 }
  const read = await git(['cat-file', 'blob', blobId], bounds)
  if (!read.ok) return failed(`The file cannot be read, or is larger than ${maxBytes} bytes`, read)
  return { outcome: 'found', bytes: read.stdout }
}

async function listChangedPaths(git: Git, at: CommitAt, base: PathsBase): Promise<PathsReading> {
  const from =
    base.kind === 'before' ? await fetchBoth(git, at, base.commitSha) : await findMergeBase(git, at, base.with)
  if ('outcome' in from) return from
  const bounds = { timeoutMs: FETCH_MS, maxOutput: MAX_PATHS_OUTPUT }
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from.base, from.head, '--']
  const listed = await git(args, bounds)
  if (!listed.ok) return failed('The changed files cannot be listed', listed)
  const paths = listed.stdout
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '')
  return { outcome: 'found', paths }
}

interface Ends {
  readonly base: string
  readonly head: string
}

async function fetchBoth(git: Git, at: CommitAt, base: string): Promise<Ends | GitFailure> {
  const head = await fetchCommit(git, at, { filter: 'blob:none', depth: 1 })
  if (head.outcome === 'failed') return head
  const before = await fetchCommit(git, { commitSha: base, ref: null }, { filter: 'blob:none', depth: 1, age: 'old' })
  return before.outcome === 'failed' ? before : { base: before.commitSha, head: head.commitSha }
}

async function findMergeBase(git: Git, at: CommitAt, other: CommitAt): Promise<Ends | GitFailure> {
  for (const depth of DEPTHS) {
    const head = await fetchCommit(git, at, { filter: 'tree:0', depth })
    if (head.outcome === 'failed') return head
    const target = await fetchCommit(git, other, { filter: 'tree:0', depth })
    if (target.outcome === 'failed') return target
    const found = await git(['merge-base', target.commitSha, head.commitSha])
    if (!found.ok) continue
    const base = found.stdout.toString('latin1').trim()
    // The trees of both in one go: one by one would be a request for each folder.
    return fetchBoth(git, { commitSha: head.commitSha, ref: at.ref }, base)
  }
  return {
    outcome: 'failed',
    reason: `No common ancestor was found within ${DEPTHS.at(-1)} commits.`,
    retry: false,
  }
}

function failed(what: string, end: GitEnd | undefined): GitFailure {
  if (!end || end.ok) return { outcome: 'failed', reason: `${what}.`, retry: false }
  return { outcome: 'failed', reason: `${what}: ${end.reason}.`, retry: end.retry }
}
