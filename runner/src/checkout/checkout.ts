import { pathToFileURL } from 'node:url'
import { type RepositoryAddress, readRepositoryAddress } from '@signalbox/contracts/repository'
import type { Owner, StartProcess } from '../processes/running-process.ts'
import type { Time } from '../time/index.ts'
import type { FetchApart } from './fetch-apart.ts'
import type { GitResult } from './git-command.ts'
import { runGit } from './git-command.ts'
import type { GitFiles } from './git-settings.ts'
import { gitEnvironment, trustRepository } from './git-settings.ts'
import { findLocalRepository, type LocalFolder } from './local-repositories.ts'
import { refProblem, shaProblem } from './rules.ts'

export type CheckoutTools = {
  start: StartProcess
  /** Changes when whatever `start` had started was lost. */
  lives: () => number
  time: Time
  files: GitFiles
  path: string
  /** The only folders whose repositories are checked out. */
  localFolders: readonly LocalFolder[]
  timeoutMs: number
  /** For what needs a credential; undefined where tasks run as the runner itself. */
  apart: FetchApart | undefined
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

/** What git may use, as `GIT_ALLOW_PROTOCOL` names it: the address's own protocol, and https where http leads there. */
const allowed = { https: 'https', http: 'http:https', ssh: 'ssh', local: 'file' } as const

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
  const { cloneUrl, ref, commitSha, password } = request
  const address = readRepositoryAddress(cloneUrl)
  if ('fault' in address) return `The repository cannot be checked out: its address ${address.fault}.`
  const remote = locate(address, tools.localFolders)
  if (remote === undefined) return outside
  const problem = refProblem(ref) ?? shaProblem(commitSha)
  if (problem !== undefined) return problem

  // Never as root: whatever a repository makes git read, the user that runs tasks may read anyway.
  const from = { ...remote, reader: place.owner }
  const { owner } = place
  const isSecret = remote.origin !== undefined && password !== ''
  if (isSecret && tools.apart !== undefined && owner !== undefined) {
    await using apart = await tools.apart.open()
    if (apart === undefined) return noAccount
    const git = gitIn(tools, request, remote, { ...place, directory: apart.directory, owner: apart.owner })
    const fetched = await fetchCommit(git, from, request, place.note)
    if ('problem' in fetched) return fetched.problem
    await apart.handOver(place.directory, owner)
    return await checkOutCommit(gitIn(tools, withoutCredential(request), remote, place), fetched.commit, cloneUrl)
  }
  const git = gitIn(tools, request, remote, place)
  const fetched = await fetchCommit(git, from, request, place.note)
  return 'problem' in fetched ? fetched.problem : await checkOutCommit(git, fetched.commit, cloneUrl)
}

const withoutCredential = (request: CheckoutRequest): CheckoutRequest => ({ ...request, username: '', password: '' })

const noAccount = 'No account is free to fetch the repository as; --task-uids gives the runner more.'

const outside =
  'The repository cannot be checked out: its address names a folder that is in none of --local-repositories of this runner.'

/** What git is told to fetch from. */
type Remote = {
  readonly url: string
  readonly protocol: RepositoryAddress['kind']
  /** As git names it when it asks for a credential. */
  readonly origin: string | undefined
  /** The one folder that git may trust though it belongs to somebody else. */
  readonly folder: string | undefined
}

/** Undefined: a folder that the operator has not named. */
const locate = (address: RepositoryAddress, folders: readonly LocalFolder[]): Remote | undefined => {
  const nowhere = { origin: undefined, folder: undefined }
  switch (address.kind) {
    case 'https':
    case 'http':
      return { ...nowhere, url: address.url, protocol: address.kind, origin: address.origin }
    case 'ssh':
      return { ...nowhere, url: address.url, protocol: 'ssh' }
    case 'local': {
      const folder = findLocalRepository(address.path, folders)
      return folder === undefined
        ? undefined
        : { ...nowhere, url: pathToFileURL(folder).href, protocol: 'local', folder }
    }
  }
}

const gitIn = (
  tools: CheckoutTools,
  { username, password }: CheckoutRequest,
  { origin, protocol, folder }: Remote,
  { directory, owner, signal, note }: CheckoutPlace,
): Git => {
  const configFile = folder === undefined ? tools.files.configFile : trustRepository(tools.files, folder)
  const surroundings = { home: directory, path: tools.path, protocols: allowed[protocol], configFile }
  const environment = gitEnvironment(tools.files, surroundings, { username, password, origin })
  return async (...args) => {
    const { start, time, timeoutMs } = tools
    const result = await runGit({ directory, environment, owner, signal, start, time, timeoutMs }, args)
    for (const line of result.stderr.split('\n')) if (line.trim() !== '') note(`git: ${line.trimEnd()}`)
    return result
  }
}

const failure = (what: string, url: string, { reason }: GitResult): string => `The ${what} of ${url} failed: ${reason}.`

type Fetched = { readonly commit: string } | { readonly problem: string }

const fetchCommit = async (
  git: Git,
  { url: remoteUrl, folder, reader }: Remote & { reader: Owner | undefined },
  { cloneUrl: url, ref, commitSha: sha }: CheckoutRequest,
  note: (sentence: string) => void,
): Promise<Fetched> => {
  const failed = (what: string, result: GitResult): Fetched => ({ problem: failure(what, url, result) })
  const init = await git('init', '--quiet', '--template=', ...(sha.length === 64 ? ['--object-format=sha256'] : []))
  if (!init.ok) return failed('checkout', init)
  const remote = await git('remote', 'add', '--', 'origin', remoteUrl)
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
  if (!fetched.ok && folder !== undefined && reader !== undefined) {
    const who = `The user that runs tasks (uid ${reader.uid}) must be able to read a local repository.`
    return { problem: `${failure('fetch', url, fetched)} ${who}` }
  }
  if (!fetched.ok) return failed('fetch', fetched)
  const commit = await peel()
  if (commit === '') {
    if (await present()) return { problem: `${sha} of ${url} is neither a commit nor a tag of one.` }
    return { problem: `Commit ${sha} is not in ${ref} of ${url} any more.` }
  }
  if (commit !== sha) note(`The tag ${sha} stands for the commit ${commit}.`)
  return { commit }
}

const checkOutCommit = async (git: Git, commit: string, url: string): Promise<string | undefined> => {
  const checkout = await git('checkout', '--quiet', '--detach', '--force', commit)
  if (!checkout.ok) return failure('checkout', url, checkout)
  const head = await git('rev-parse', '--verify', 'HEAD')
  return head.stdout === commit ? undefined : `The checkout of ${url} gave ${head.stdout} instead of ${commit}.`
}
