import type { CheckoutRequest } from './checkout-request.ts'
import type { FetchedRequest } from './fetch-commit.ts'
import {
  failure,
  type Git,
  type GitPlace,
  type GitTools,
  gitIn,
  type Login,
  type Remote,
  submodulesOf,
} from './remote.ts'

/** `mayHelp`: fetching everything anew may help, because the local copy may be damaged. */
export interface Unpopulated {
  readonly problem: string
  readonly mayHelp: boolean
}

export interface PopulateMeans {
  readonly tools: GitTools
  readonly remote: Remote
  /** A folder with a repository that has everything; nothing is checked out yet. */
  readonly place: GitPlace
  /** For submodules and large files. */
  readonly login: Login
}

/** Writes the files of a commit, as a detached HEAD, as the request wants them. Answers what went wrong. */
export async function populate(
  { tools, remote, place, login }: PopulateMeans,
  { commit, base }: FetchedRequest,
  request: CheckoutRequest,
): Promise<Unpopulated | undefined> {
  const { cloneUrl: url, sparse } = request
  const gitWith = (further: Readonly<Record<string, string>>) => gitIn(tools, remote, { ...place, further }, login)
  const git = gitWith({})
  if (sparse.length > 0) {
    const set = await git('sparse-checkout', 'set', '--cone', ...sparse)
    if (!set.ok) return { problem: failure('sparse checkout', url, set), mayHelp: true }
  }
  const damage = await checkOutCommit(git, base ?? commit, url)
  if (damage !== undefined) return { problem: damage, mayHelp: true }
  const problem =
    (base === undefined ? undefined : await merge(gitWith, commit, request)) ??
    (await updateSubmodules(gitIn(tools, submodulesOf(remote), place, login), request)) ??
    (request.lfs ? await fetchLargeFiles(git, url) : undefined)
  return problem === undefined ? undefined : { problem, mayHelp: false }
}

async function checkOutCommit(git: Git, commit: string, url: string): Promise<string | undefined> {
  const checkout = await git('checkout', '--quiet', '--detach', '--force', commit)
  if (!checkout.ok) return failure('checkout', url, checkout)
  const head = await git('rev-parse', '--verify', 'HEAD')
  return head.stdout === commit ? undefined : `The checkout of ${url} gave ${head.stdout} instead of ${commit}.`
}

const NAMED_AT_MOST = 10

/** The merge has the time of the commit, so that each task gets the same one. */
async function merge(
  gitWith: (further: Readonly<Record<string, string>>) => Git,
  commit: string,
  { cloneUrl: url, merge: wanted }: CheckoutRequest,
): Promise<string | undefined> {
  const baseRef = wanted?.baseRef ?? ''
  const { stdout: seconds } = await gitWith({})('show', '--no-patch', '--format=%ct', commit)
  const date = `@${seconds} +0000`
  const git = gitWith({ GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date })
  const who = ['-c', 'user.name=Signalbox', '-c', 'user.email=signalbox@localhost', '-c', 'commit.gpgSign=false']
  const merged = await git(...who, 'merge', '--quiet', '--no-ff', '-m', `Merge ${commit} into ${baseRef}`, commit)
  if (merged.ok) return undefined
  const conflicts = await git('diff', '--name-only', '--diff-filter=U', '-z')
  const files = conflicts.stdout.split('\0').filter((name) => name !== '')
  if (files.length === 0) return failure('merge', url, merged)
  const named = files.slice(0, NAMED_AT_MOST).map((name) => JSON.stringify(name))
  const more = files.length > NAMED_AT_MOST ? ` and ${files.length - NAMED_AT_MOST} more` : ''
  return `The pull request cannot be merged into ${baseRef}: there are conflicts in ${named.join(', ')}${more}.`
}

async function updateSubmodules(
  git: Git,
  { cloneUrl: url, submodules, depth }: CheckoutRequest,
): Promise<string | undefined> {
  if (submodules === 'none') return undefined
  const recursive = submodules === 'recursive' ? ['--recursive'] : []
  const history = depth === 0 ? [] : [`--depth=${depth}`]
  const updated = await git('submodule', '--quiet', 'update', '--init', ...recursive, ...history)
  return updated.ok ? undefined : failure('checkout of the submodules', url, updated)
}

async function fetchLargeFiles(git: Git, url: string): Promise<string | undefined> {
  if (!(await git('lfs', 'version')).ok) {
    return 'The checkout asks for files of Git LFS, and this runner has no program git-lfs: install it, or leave `lfs` out.'
  }
  // The filters alone, so that later commands of Git see the files as they are; no hooks.
  const installed = await git('lfs', 'install', '--local', '--skip-repo')
  if (!installed.ok) return failure('checkout of Git LFS', url, installed)
  const pulled = await git('lfs', 'pull', 'origin')
  return pulled.ok ? undefined : failure('fetch of Git LFS', url, pulled)
}
