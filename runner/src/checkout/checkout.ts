import { chownSync, lchownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Owner, StartProcess } from '../processes/running-process.ts'
import type { Time } from '../time/index.ts'
import type { GitResult } from './git-command.ts'
import { runGit } from './git-command.ts'
import type { GitFiles } from './git-settings.ts'
import { gitEnvironment } from './git-settings.ts'
import type { RepositoryAddress } from './rules.ts'
import { readAddress, refProblem, shaProblem } from './rules.ts'

export type CheckoutTools = {
  start: StartProcess
  time: Time
  files: GitFiles
  path: string
  allowLocalRepositories: boolean
  timeoutMs: number
}

export type CheckoutRequest = { cloneUrl: string; ref: string; commitSha: string; username: string; password: string }

export type CheckoutPlace = {
  /** An empty folder that belongs to `owner`. */
  directory: string
  owner: Owner | undefined
  signal: AbortSignal
  note(sentence: string): void
}

type Git = (...args: string[]) => Promise<GitResult>

/**
 * Puts the requested commit into an empty folder, as a detached HEAD. Returns what went wrong as a sentence, or
 * undefined. The commit is fetched by its id; where a server refuses that, through the ref it was pushed to. The id of an
 * annotated tag stands for the commit that the tag names, also through further tags.
 */
export const checkOut = async (
  tools: CheckoutTools,
  request: CheckoutRequest,
  place: CheckoutPlace,
): Promise<string | undefined> => {
  const { cloneUrl, ref, commitSha } = request
  const address = readAddress(cloneUrl, tools.allowLocalRepositories)
  if ('refused' in address) return address.refused
  const problem = refProblem(ref) ?? shaProblem(commitSha)
  if (problem !== undefined) return problem

  // A local repository is read by the runner's own user, who alone may see it; the files then change hands.
  const owner = address.kind === 'local' ? undefined : place.owner
  const git = gitIn(tools, request, address, { ...place, owner })
  const failure = await fetchAndCheckOut(git, address.url, ref, commitSha, place.note)
  // Also what a failed one left: it is removed as the task's user.
  if (owner === undefined && place.owner !== undefined) handOver(place.directory, place.owner)
  return failure
}

const gitIn = (
  tools: CheckoutTools,
  { username, password }: CheckoutRequest,
  { origin }: RepositoryAddress,
  { directory, owner, signal, note }: CheckoutPlace,
): Git => {
  const environment = gitEnvironment(tools.files, directory, tools.path, { username, password, origin })
  return async (...args) => {
    const { start, time, timeoutMs } = tools
    const result = await runGit({ directory, environment, owner, signal, start, time, timeoutMs }, args)
    for (const line of result.stderr.split('\n')) if (line.trim() !== '') note(`git: ${line.trimEnd()}`)
    return result
  }
}

const fetchAndCheckOut = async (
  git: Git,
  url: string,
  ref: string,
  sha: string,
  note: (sentence: string) => void,
): Promise<string | undefined> => {
  const failed = (what: string, { reason }: GitResult) => `The ${what} of ${url} failed: ${reason}.`
  const init = await git('init', '--quiet', '--template=', ...(sha.length === 64 ? ['--object-format=sha256'] : []))
  if (!init.ok) return failed('checkout', init)
  const remote = await git('remote', 'add', '--', 'origin', url)
  if (!remote.ok) return failed('checkout', remote)

  const fetch = (depth: readonly string[], what: string) =>
    git('fetch', '--quiet', '--no-tags', '--no-recurse-submodules', ...depth, '--end-of-options', 'origin', what)
  // A full id means the object itself, whatever refs are called: it resolves only once exactly that object is here.
  const peel = async () => (await git('rev-parse', '--quiet', '--verify', `${sha}^{commit}`)).stdout
  const present = async () => (await git('cat-file', '-e', sha)).ok

  let fetched = await fetch(['--depth=1'], sha)
  if (!fetched.ok && ref !== '' && fetched.reason.startsWith('git ended')) {
    note(`The server does not give out ${sha} by its id; fetching ${ref}.`)
    fetched = await fetch(['--depth=1'], `+${ref}`)
    // The ref may have moved on since: then the commit lies deeper.
    if (fetched.ok && !(await present())) fetched = await fetch(['--unshallow'], `+${ref}`)
  }
  if (!fetched.ok) return failed('fetch', fetched)
  const commit = await peel()
  if (commit === '') {
    if (await present()) return `${sha} of ${url} is neither a commit nor a tag of one.`
    return `Commit ${sha} is not in ${ref} of ${url} any more.`
  }
  if (commit !== sha) note(`The tag ${sha} stands for the commit ${commit}.`)

  const checkout = await git('checkout', '--quiet', '--detach', '--force', commit)
  if (!checkout.ok) return failed('checkout', checkout)
  const head = await git('rev-parse', '--verify', 'HEAD')
  return head.stdout === commit ? undefined : `The checkout of ${url} gave ${head.stdout} instead of ${commit}.`
}

/** Gives a tree to `owner`; links are not followed. No process of the task runs yet. */
const handOver = (directory: string, owner: Owner): void => {
  // From the leaves up: nobody but root can change a folder on the way to what is still to be given.
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true }).reverse()) {
    lchownSync(join(entry.parentPath, entry.name), owner.uid, owner.gid)
  }
  chownSync(directory, owner.uid, owner.gid)
}
