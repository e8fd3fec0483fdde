import { readRepositoryAddress } from '@signalbox/contracts/repository'
import type { Owner } from '../processes/running-process.ts'
import { fetchCommit, initialize } from './fetch-commit.ts'
import type { LocalFolder } from './local-repositories.ts'
import type { MirrorTools } from './mirrors/from-mirror.ts'
import { placeFromMirror } from './mirrors/from-mirror.ts'
import { failure, type Git, type GitTools, gitIn, locate, noLogin, type Remote } from './remote.ts'
import { refProblem, shaProblem } from './rules.ts'

export type CheckoutTools = GitTools & {
  /** Changes when whatever `start` had started was lost. */
  lives: () => number
  /** The only folders whose repositories are checked out. */
  localFolders: readonly LocalFolder[]
  /** Undefined where tasks could reach what the runner's own account has. */
  mirrors: MirrorTools | undefined
}

export type CheckoutRequest = { cloneUrl: string; ref: string; commitSha: string; username: string; password: string }

export type CheckoutPlace = {
  /** An empty folder that belongs to `owner`. */
  directory: string
  owner: Owner | undefined
  /** Of the attempt: nothing of a mirror comes from one scope to another. */
  scope: string
  /** Whether nobody but its owner will ever change what lies in it. */
  mayLink: boolean
  signal: AbortSignal
  note(sentence: string): void
}

/**
 * Puts the requested commit into an empty folder, as a detached HEAD. Returns what went wrong as a sentence, or
 * undefined.
 */
export const checkOut = async (
  tools: CheckoutTools,
  request: CheckoutRequest,
  place: CheckoutPlace,
): Promise<string | undefined> => {
  const { cloneUrl, ref, commitSha } = request
  const address = readRepositoryAddress(cloneUrl)
  if ('fault' in address) return `The repository cannot be checked out: its address ${address.fault}.`
  const remote = locate(address, tools.localFolders)
  if (remote === undefined) return outside
  const problem = refProblem(ref) ?? shaProblem(commitSha)
  if (problem !== undefined) return problem
  const means = { tools, request, place, remote }
  const { mirrors } = tools
  return mirrors === undefined || remote.origin === undefined
    ? await checkOutDirectly(means)
    : await checkOutMirrored(means, mirrors)
}

type Means = { tools: CheckoutTools; request: CheckoutRequest; place: CheckoutPlace; remote: Remote }

const checkOutDirectly = async ({ tools, request, place, remote }: Means): Promise<string | undefined> => {
  const git = gitIn(tools, remote, place, request)
  const problem = await initialize(git, remote, request)
  if (problem !== undefined) return problem
  // Never as root: whatever a repository makes git read, the user that runs tasks may read anyway.
  const fetched = await fetchCommit(git, remote, request, { reader: place.owner, note: place.note })
  return 'problem' in fetched ? fetched.problem : await checkOutCommit(git, fetched.commit, request.cloneUrl)
}

const checkOutMirrored = async (means: Means, mirrors: MirrorTools): Promise<string | undefined> => {
  const { tools, request, place, remote } = means
  const login = { username: request.username, password: request.password }
  const git = gitIn(tools, remote, place, noLogin)
  for (;;) {
    const placed = await placeFromMirror({ ...tools, ...mirrors }, { remote, wanted: request, login }, place)
    if (placed === undefined) return login.password === '' ? await checkOutDirectly(means) : noAccount
    if ('problem' in placed) return placed.problem
    const [refused, failed] = await Promise.all([placed.allowed, checkOutCommit(git, placed.commit, request.cloneUrl)])
    if (refused !== undefined) return refused
    if (failed === undefined || place.signal.aborted) return failed
    placed.mirror.spoilt = true
    if (!placed.known) return failed
    place.note('The copy of the repository on this runner may be damaged; fetching it anew.')
    await mirrors.trees.remove(place.directory)
  }
}

const noAccount = 'No account is free to fetch the repository as; --task-uids gives the runner more.'

const outside =
  'The repository cannot be checked out: its address names a folder that is in none of --local-repositories of this runner.'

const checkOutCommit = async (git: Git, commit: string, url: string): Promise<string | undefined> => {
  const checkout = await git('checkout', '--quiet', '--detach', '--force', commit)
  if (!checkout.ok) return failure('checkout', url, checkout)
  const head = await git('rev-parse', '--verify', 'HEAD')
  return head.stdout === commit ? undefined : `The checkout of ${url} gave ${head.stdout} instead of ${commit}.`
}
