import type { Owner } from '../processes/running-process.ts'
import type { GitResult } from './git-command.ts'
import { failure, type Git, type Remote } from './remote.ts'

export type Wanted = { readonly cloneUrl: string; readonly ref: string; readonly commitSha: string }

/** `commit`: the wanted one, or the one that the wanted tag names. */
export type Fetched = { readonly commit: string } | { readonly problem: string }

const everything = '--depth=2147483647'

/** Makes the repository of a folder that is to fetch. Answers what went wrong as a sentence. */
export const initialize = async (
  git: Git,
  { url }: Remote,
  { cloneUrl, commitSha }: Wanted,
  kind: readonly string[] = [],
): Promise<string | undefined> => {
  const format = commitSha.length === 64 ? ['--object-format=sha256'] : []
  const init = await git('init', '--quiet', '--template=', ...kind, ...format)
  if (!init.ok) return failure('checkout', cloneUrl, init)
  const added = await git('remote', 'add', '--', 'origin', url)
  return added.ok ? undefined : failure('checkout', cloneUrl, added)
}

export type FetchOptions = {
  /** The ref that keeps what was fetched; undefined for none. */
  readonly keptAs?: string | undefined
  /** Who reads a repository of this machine. */
  readonly reader?: Owner | undefined
  note(sentence: string): void
}

/**
 * Fetches the wanted commit by its id; where a server refuses that, through the ref that it was pushed to. The id of an
 * annotated tag stands for the commit that the tag names, also through further tags.
 */
export const fetchCommit = async (
  git: Git,
  { folder }: Remote,
  { cloneUrl: url, ref, commitSha: sha }: Wanted,
  { keptAs, reader, note }: FetchOptions,
): Promise<Fetched> => {
  const to = keptAs === undefined ? '' : `:${keptAs}`
  const fetch = (depth: string, what: string): Promise<GitResult> =>
    git('fetch', '--quiet', '--no-tags', '--no-recurse-submodules', depth, '--end-of-options', 'origin', what + to)
  // A full id means the object itself, whatever refs are called: it resolves only once exactly that object is here.
  const peel = async () => (await git('rev-parse', '--quiet', '--verify', `${sha}^{commit}`)).stdout
  const present = async () => (await git('cat-file', '-e', sha)).ok

  let fetched = await fetch('--depth=1', sha)
  if (!fetched.ok && ref !== '' && fetched.reason.startsWith('git ended')) {
    note(`The server does not give out ${sha} by its id; fetching ${ref}.`)
    fetched = await fetch('--depth=1', `+${ref}`)
    // The ref may have moved on since: then the commit lies deeper.
    if (fetched.ok && !(await present())) fetched = await fetch(everything, `+${ref}`)
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
