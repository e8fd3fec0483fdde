import { readRepositoryAddress } from '@signalbox/contracts/repository'
import type { Checkout } from '@signalbox/contracts/runner'
import type { Owner } from '../processes/running-process.ts'
import { type CheckoutRequest, readRequest } from './checkout-request.ts'
import { fetchRequest, initialize } from './fetch-commit.ts'
import type { LocalFolder } from './local-repositories.ts'
import { type Lent, lendFromMirror, type MirrorTools } from './mirrors/from-mirror.ts'
import { populate, type Unpopulated } from './populate.ts'
import { type GitTools, gitIn, locate, NO_LOGIN, type Remote } from './remote.ts'

export type CheckoutTools = GitTools & {
  /** Changes when whatever `start` had started was lost. */
  lives: () => number
  /** The only folders whose repositories are checked out. */
  localFolders: readonly LocalFolder[]
  /** Undefined where tasks could reach what the runner's own account has. */
  mirrors: MirrorTools | undefined
}

export interface CheckoutPlace {
  /** An empty folder that belongs to `owner`. */
  directory: string
  owner: Owner | undefined
  /** Of the attempt: nothing of a mirror comes from one scope to another. */
  scope: string
  /** Whether only its owner will ever change its content. */
  mayLink: boolean
  signal: AbortSignal
  note(sentence: string): void
}

/**
 * Puts the requested commit into an empty folder, as a detached HEAD. Returns what went wrong as a sentence, or
 * undefined.
 */
export async function checkOut(
  tools: CheckoutTools,
  checkout: Checkout,
  place: CheckoutPlace,
): Promise<string | undefined> {
  const address = readRepositoryAddress(checkout.cloneUrl)
  if ('fault' in address) return `The repository cannot be checked out: its address ${address.fault}.`
  const remote = locate(address, tools.localFolders)
  if (remote === undefined) return OUTSIDE
  const request = readRequest(checkout)
  if ('problem' in request) return request.problem
  const means = { tools, request, place, remote }
  const { mirrors } = tools
  return mirrors === undefined || remote.origin === undefined
    ? await checkOutDirectly(means)
    : await checkOutMirrored(means, mirrors)
}

interface Means {
  tools: CheckoutTools
  request: CheckoutRequest
  place: CheckoutPlace
  remote: Remote
}

async function checkOutDirectly({ tools, request, place, remote }: Means): Promise<string | undefined> {
  const git = gitIn(tools, remote, place, request)
  const problem = await initialize(git, remote, request)
  if (problem !== undefined) return problem
  // Never as root: whatever a repository makes git read, the user that runs tasks may read anyway.
  const fetched = await fetchRequest(git, remote, request, { keep: false, reader: place.owner, note: place.note })
  if ('problem' in fetched) return fetched.problem
  return (await populate({ tools, remote, place, login: request }, fetched, request))?.problem
}

async function checkOutMirrored(means: Means, mirrors: MirrorTools): Promise<string | undefined> {
  const { tools, request, place, remote } = means
  for (;;) {
    const lent = await lendFromMirror({ ...tools, ...mirrors }, remote, request, place)
    if (lent === undefined) return request.password === '' ? await checkOutDirectly(means) : NO_ACCOUNT
    if ('problem' in lent) return lent.problem
    await using _ = lent.staged
    const [refused, failed] = await Promise.all([lent.allowed, unpack(means, lent)])
    if (refused !== undefined) return refused
    if (failed === undefined || place.signal.aborted) return failed?.problem
    if (failed.mayHelp) lent.mirror.spoilt = true
    if (!failed.mayHelp || !lent.known) return failed.problem
    place.note('The copy of the repository on this runner may be damaged; fetching it anew.')
    await mirrors.trees.remove(place.directory)
  }
}

/** Files are written as the task's account, without the credential; what needs that is fetched apart before. */
async function unpack(
  { tools, request, place, remote }: Means,
  { staged, commit, mirror }: Lent,
): Promise<Unpopulated | undefined> {
  const { directory, owner } = place
  const isApart = owner !== undefined && request.password !== '' && (request.lfs || request.submodules !== 'none')
  if (isApart || owner === undefined || !place.mayLink) await staged.copyPacks()
  if (!isApart) {
    staged.giveTo(owner)
    staged.moveTo(directory)
    const login = owner === undefined ? request : NO_LOGIN
    return await populate({ tools, remote, place, login }, commit, request)
  }
  staged.giveTo(mirror.owner)
  const apart = { ...place, directory: staged.directory, owner: mirror.owner }
  const failed = await populate({ tools, remote, place: apart, login: request }, commit, request)
  if (failed !== undefined) return failed
  await staged.giveWhole(owner)
  staged.moveTo(directory)
  return undefined
}

const NO_ACCOUNT = 'No account is free to fetch the repository as; --task-uids gives the runner more.'

const OUTSIDE =
  'The repository cannot be checked out: its address names a folder that is in none of --local-repositories of this runner.'
