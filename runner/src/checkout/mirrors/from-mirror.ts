import type { Trees } from '../../trees/trees.ts'
import type { CheckoutRequest } from '../checkout-request.ts'
import { fetchRequest, initialize } from '../fetch-commit.ts'
import { failure, type GitTools, gitIn, type Remote } from '../remote.ts'
import { type Mirror, type MirroredCommit, type Mirrors, mirrorKey } from './mirrors.ts'
import { readShallow, readTags, StagedRepository, usageOf } from './staged-repository.ts'

export interface MirrorTools {
  readonly mirrors: Mirrors
  /** On the file system of the workspaces; no task can list it. */
  readonly root: string
  readonly trees: Trees
}

export interface MirrorPlace {
  /** Nothing of a mirror comes from one scope to another. */
  readonly scope: string
  readonly signal: AbortSignal
  note(sentence: string): void
}

/** A repository that has all that was asked for; its files are not checked out yet. */
export interface Lent {
  readonly staged: StagedRepository
  readonly commit: MirroredCommit
  /** Whether it was here before. */
  readonly known: boolean
  readonly mirror: Mirror
  /** Resolves with a sentence where the server does not let this credential read the repository any more. */
  readonly allowed: Promise<string | undefined>
}

// A commit costs a pack. Git looks through all of them for an object, and none is ever removed: so a mirror of so many
// begins anew.
const MOST_PACKS = 100

/**
 * Makes a repository with the requested commit, out of the mirror of its address, credential and scope. Git first
 * fetches missing objects into the mirror. Answers undefined where no account is free. Throws the system's error.
 */
export async function lendFromMirror(
  tools: GitTools & MirrorTools,
  remote: Remote,
  request: CheckoutRequest,
  { scope, signal, note }: MirrorPlace,
): Promise<Lent | { problem: string } | undefined> {
  const { cloneUrl, commitSha, username, password, depth, tags, merge } = request
  const gitAt = (owner: Mirror['owner'], directory: string) =>
    gitIn(tools, remote, { directory, owner, signal, note }, request)
  const name = [commitSha, merge?.baseSha ?? ''].join(' ')
  // Refs may have moved on the server, so Git fetches them each time.
  const mayBeKnown = !tags && merge?.baseSha !== ''

  const fetchInto = async (mirror: Mirror): Promise<MirroredCommit | { problem: string }> => {
    const git = gitAt(mirror.owner, mirror.directory)
    if (!mirror.begun) {
      const problem = await initialize(git, remote, request, ['--bare'])
      if (problem !== undefined) return { problem }
      mirror.begun = true
    }
    const fetched = await fetchRequest(git, remote, request, { keep: true, note })
    if ('problem' in fetched) return fetched
    const packed = tags ? await git('pack-refs', '--all') : undefined
    if (packed?.ok === false) return { problem: failure('checkout', cloneUrl, packed) }
    return { ...fetched, tags: tags ? readTags(mirror) : '', shallow: readShallow(mirror) }
  }

  /** A fetch that failed may have left anything behind, so its mirror begins anew. */
  const fetchOnce = async (mirror: Mirror): Promise<MirroredCommit | { problem: string }> => {
    mirror.spoilt = true
    const fetched = await fetchInto(mirror)
    if ('problem' in fetched) return fetched
    const { bytes, packs } = usageOf(mirror)
    mirror.bytes = bytes
    mirror.spoilt = packs > MOST_PACKS
    if (mayBeKnown) mirror.commits.set(name, fetched)
    return fetched
  }

  const turn = async (mirror: Mirror) => {
    const isNew = !mirror.begun
    const before = mirror.commits.get(name)
    const commit = before ?? (await fetchOnce(mirror))
    if ('problem' in commit) return { ...commit, isNew }
    const staged = StagedRepository.of(tools, mirror, commit, remote.url)
    return { staged, commit, known: before !== undefined, mirror }
  }
  const key = mirrorKey([scope, remote.url, username, password, String(commitSha.length), String(depth), String(tags)])
  let taken = await tools.mirrors.use(key, signal, turn)
  // Files that other checkouts left in the mirror may be the reason.
  if (taken !== undefined && 'problem' in taken && !taken.isNew && !signal.aborted) {
    taken = await tools.mirrors.use(key, signal, turn)
  }
  if (taken === undefined) return signal.aborted ? { problem: 'The task was stopped.' } : undefined
  if ('problem' in taken) return { problem: taken.problem }
  const { known, mirror } = taken
  const ask = async (): Promise<string | undefined> => {
    const git = gitAt(mirror.owner, tools.root)
    const asked = await git('ls-remote', '--quiet', '--end-of-options', remote.url, 'HEAD')
    return asked.ok ? undefined : failure('fetch', cloneUrl, asked)
  }
  return { ...taken, allowed: known ? ask() : Promise.resolve(undefined) }
}
