import type { Owner } from '../../processes/running-process.ts'
import type { Trees } from '../../trees/trees.ts'
import { fetchCommit, initialize, type Wanted } from '../fetch-commit.ts'
import { failure, type GitTools, gitIn, type Login, type Remote } from '../remote.ts'
import { type Mirror, type MirroredCommit, type Mirrors, mirrorKey } from './mirrors.ts'
import { readShallow, StagedRepository, usageOf } from './staged-repository.ts'

export type MirrorTools = {
  readonly mirrors: Mirrors
  /** On the file system of the workspaces; no task can list it. */
  readonly root: string
  readonly trees: Pick<Trees, 'remove'>
}

export type MirrorRequest = {
  readonly remote: Remote
  readonly wanted: Wanted
  readonly login: Login
}

export type MirrorPlace = {
  /** An empty folder that belongs to `owner`. */
  readonly directory: string
  readonly owner: Owner | undefined
  /** Nothing of a mirror comes from one scope to another. */
  readonly scope: string
  /** Whether nobody but its owner will ever change what lies in it. */
  readonly mayLink: boolean
  readonly signal: AbortSignal
  note(sentence: string): void
}

/** A repository in the workspace that has the commit; its files are not checked out yet. */
export type Placed = {
  readonly commit: string
  /** Whether it was here before. */
  readonly known: boolean
  readonly mirror: Mirror
  /** Resolves with a sentence where the server does not let this credential read the repository any more. */
  readonly allowed: Promise<string | undefined>
}

// A commit costs a pack. Git looks through all of them for an object, and none is ever removed: so a mirror of so many
// begins anew.
const mostPacks = 100

/**
 * Puts a repository with the wanted commit into an empty folder, out of the mirror of its address and credential. What the
 * mirror lacks is fetched into it first. Answers undefined where no account is free. Throws the system's error.
 */
export const placeFromMirror = async (
  tools: GitTools & MirrorTools,
  { remote, wanted, login }: MirrorRequest,
  place: MirrorPlace,
): Promise<Placed | { problem: string } | undefined> => {
  const { cloneUrl, commitSha } = wanted
  const { signal, note } = place
  const gitAt = ({ directory, owner }: Mirror) => gitIn(tools, remote, { directory, owner, signal, note }, login)

  const fetchInto = async (mirror: Mirror): Promise<MirroredCommit | { problem: string }> => {
    const git = gitAt(mirror)
    if (!mirror.begun) {
      const problem = await initialize(git, remote, wanted, ['--bare'])
      if (problem !== undefined) return { problem }
      mirror.begun = true
    }
    const fetched = await fetchCommit(git, remote, wanted, { keptAs: `refs/mirrored/${commitSha}`, note })
    return 'problem' in fetched ? fetched : { commit: fetched.commit, shallow: readShallow(mirror) }
  }

  /** A fetch that failed may have left anything behind: what it failed with, and a mirror that begins anew. */
  const fetchOnce = async (mirror: Mirror): Promise<MirroredCommit | { problem: string }> => {
    mirror.spoilt = true
    const fetched = await fetchInto(mirror)
    if ('problem' in fetched) return fetched
    const { bytes, packs } = usageOf(mirror)
    mirror.bytes = bytes
    mirror.spoilt = packs > mostPacks
    mirror.commits.set(commitSha, fetched)
    return fetched
  }

  const key = mirrorKey([place.scope, remote.url, login.username, login.password, String(commitSha.length)])
  const turn = async (mirror: Mirror) => {
    const before = mirror.commits.get(commitSha)
    const known = before !== undefined
    const commit = before ?? (await fetchOnce(mirror))
    if ('problem' in commit) return { ...commit, wasEmpty: mirror.commits.size === 0 }
    const staged = StagedRepository.of(tools, mirror, commit, remote.url)
    return { staged, commit: commit.commit, known, mirror }
  }
  let taken = await tools.mirrors.use(key, signal, turn)
  // What other checkouts left in the mirror may be the reason.
  if (taken !== undefined && 'problem' in taken && !taken.wasEmpty && !signal.aborted) {
    taken = await tools.mirrors.use(key, signal, turn)
  }
  if (taken === undefined) return signal.aborted ? { problem: 'The task was stopped.' } : undefined
  if ('problem' in taken) return { problem: taken.problem }
  const { staged, commit, known, mirror } = taken
  await using _ = staged
  if (!place.mayLink || place.owner === undefined) await staged.copyPacks()
  staged.handOver(place.directory, place.owner)

  const ask = async (): Promise<string | undefined> => {
    const asked = await gitIn(tools, remote, { ...mirror, directory: tools.root, signal, note }, login)(
      'ls-remote',
      '--quiet',
      '--end-of-options',
      remote.url,
      'HEAD',
    )
    return asked.ok ? undefined : failure('fetch', cloneUrl, asked)
  }
  return { commit, known, mirror, allowed: known ? ask() : Promise.resolve(undefined) }
}
