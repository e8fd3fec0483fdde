import type { Owner } from '../processes/running-process.ts'
import type { CheckoutRequest } from './checkout-request.ts'
import type { GitResult } from './git-command.ts'
import { failure, type Git, type Remote } from './remote.ts'

export interface Wanted {
  readonly cloneUrl: string
  readonly ref: string
  readonly commitSha: string
}

/** `commit`: the wanted commit, or the commit that the wanted tag names. */
type Fetched = { readonly commit: string } | { readonly problem: string }

const EVERYTHING = '--depth=2147483647'
const ALWAYS = ['--quiet', '--no-recurse-submodules']

/** Makes the repository of a folder that is to fetch. Answers what went wrong as a sentence. */
export async function initialize(
  git: Git,
  { url }: Remote,
  { cloneUrl, commitSha }: Wanted,
  kind: readonly string[] = [],
): Promise<string | undefined> {
  const format = commitSha.length === 64 ? ['--object-format=sha256'] : []
  const init = await git('init', '--quiet', '--template=', ...kind, ...format)
  if (!init.ok) return failure('checkout', cloneUrl, init)
  const added = await git('remote', 'add', '--', 'origin', url)
  return added.ok ? undefined : failure('checkout', cloneUrl, added)
}

interface FetchOptions {
  /** Commits of history; 0 for all of it. */
  readonly depth: number
  /** The ref that keeps the fetched commit; undefined for none. */
  readonly keptAs?: string | undefined
  /** The account that reads a repository of this machine. */
  readonly reader?: Owner | undefined
  note(sentence: string): void
}

/**
 * Fetches the wanted commit by its id; where a server refuses that, through the ref that it was pushed to. The id of an
 * annotated tag stands for the commit that the tag names, also through further tags.
 */
async function fetchCommit(
  git: Git,
  { folder }: Remote,
  { cloneUrl: url, ref, commitSha: sha }: Wanted,
  { depth, keptAs, reader, note }: FetchOptions,
): Promise<Fetched> {
  const to = keptAs === undefined ? '' : `:${keptAs}`
  const fetch = (history: readonly string[], what: string): Promise<GitResult> =>
    git('fetch', ...ALWAYS, '--no-tags', ...history, '--end-of-options', 'origin', what + to)
  // A full id means the object itself, whatever refs are called: it resolves only once exactly that object is here.
  const peel = async () => (await git('rev-parse', '--quiet', '--verify', `${sha}^{commit}`)).stdout
  const present = async () => (await git('cat-file', '-e', sha)).ok

  const history = depth === 0 ? [] : [`--depth=${depth}`]
  let fetched = await fetch(history, sha)
  if (!fetched.ok && ref !== '' && fetched.reason.startsWith('git ended')) {
    note(`The server does not give out ${sha} by its id; fetching ${ref}.`)
    fetched = await fetch(history, `+${ref}`)
    // The ref may have moved on since: then the commit lies deeper.
    if (fetched.ok && depth > 0 && !(await present())) fetched = await fetch([EVERYTHING], `+${ref}`)
  }
  if (!fetched.ok && folder !== undefined && reader !== undefined) {
    const who = `The user that runs tasks (uid ${reader.uid}) must be able to read a local repository.`
    return { problem: `${failure('fetch', url, fetched)} ${who}` }
  }
  if (!fetched.ok) return { problem: failure('fetch', url, fetched) }
  const commit = await peel()
  if (commit === '') {
    if (await present()) return { problem: `${sha} of ${url} is neither a commit nor a tag of one.` }
    return { problem: `Commit ${sha} is not in ${ref} of ${url} any more.` }
  }
  if (commit !== sha) note(`The tag ${sha} stands for the commit ${commit}.`)
  return { commit }
}

/** All tags as the server has them now. Answers what went wrong as a sentence. */
async function fetchTags(git: Git, url: string, depth: number): Promise<string | undefined> {
  const history = depth === 0 ? [] : [`--depth=${depth}`]
  const tags = '+refs/tags/*:refs/tags/*'
  const fetched = await git('fetch', ...ALWAYS, '--prune', ...history, '--end-of-options', 'origin', tags)
  return fetched.ok ? undefined : failure('fetch', url, fetched)
}

/** The commit that a ref of the server names now. */
async function askForRef(git: Git, url: string, ref: string): Promise<Fetched> {
  const asked = await git('ls-remote', '--quiet', '--end-of-options', 'origin', ref)
  if (!asked.ok) return { problem: failure('fetch', url, asked) }
  const line = asked.stdout.split('\n').find((each) => each.endsWith(`\t${ref}`))
  const [commit = ''] = line?.split('\t') ?? []
  return commit === '' ? { problem: `There is no ${ref} in ${url} any more.` } : { commit }
}

export interface FetchedRequest {
  readonly commit: string
  /** The commit of the base for a merge. */
  readonly base: string | undefined
}

type WholeOptions = Omit<FetchOptions, 'depth' | 'keptAs'> & { readonly keep: boolean }

/** Fetches all that a checkout asks for. */
export async function fetchRequest(
  git: Git,
  remote: Remote,
  request: CheckoutRequest,
  { keep, ...options }: WholeOptions,
): Promise<FetchedRequest | { problem: string }> {
  const { cloneUrl, depth, merge, tags } = request
  const fetch = (wanted: Wanted) =>
    fetchCommit(git, remote, wanted, {
      ...options,
      depth,
      keptAs: keep ? `refs/mirrored/${wanted.commitSha}` : undefined,
    })
  const head = await fetch(request)
  if ('problem' in head) return head
  let base: string | undefined
  if (merge !== undefined) {
    const asked = merge.baseSha === '' ? await askForRef(git, cloneUrl, merge.baseRef) : { commit: merge.baseSha }
    if ('problem' in asked) return asked
    const fetched = await fetch({ cloneUrl, ref: merge.baseRef, commitSha: asked.commit })
    if ('problem' in fetched) return fetched
    base = fetched.commit
  }
  const problem = tags ? await fetchTags(git, cloneUrl, depth) : undefined
  return problem === undefined ? { commit: head.commit, base } : { problem }
}
