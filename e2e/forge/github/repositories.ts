import { join } from 'node:path'
import { type FoundCommit, openRepository, ZERO } from '../git/bare-repository.ts'
import type { Events } from './events.ts'
import {
  type Account,
  accountOf,
  getRepository,
  inventSha,
  type PullRequest,
  type Repository,
  type World,
} from './world.ts'

export interface WantedRepository {
  readonly private?: boolean
  readonly defaultBranch?: string
  /** The kind of the owner where the account is new; Organization by default. */
  readonly ownerType?: 'User' | 'Organization'
  /** A real repository of Git, whose first commit on the default branch holds these files. */
  readonly files?: Readonly<Record<string, string>>
  /** Of a repository without Git: names of branches, without refs/heads/. */
  readonly branches?: readonly string[]
  /** The full name of the repository that it is a fork of, which has Git. */
  readonly forkOf?: string
}

export interface WantedPush {
  /** Full: refs/heads/main by default. */
  readonly ref?: string
  readonly files?: Readonly<Record<string, string | null>>
  readonly message?: string
  /** The commit on which it is built; the head of the ref by default. Where that loses commits, it is a forced push. */
  readonly onto?: string
  /** The login of the person who pushes: the owner by default. */
  readonly by?: string
}

export interface Pushed {
  readonly before: string
  readonly after: string
}

/** Whatever changes the contents of repositories. */
export interface Repositories {
  add(fullName: string, wanted?: WantedRepository): Promise<Repository>
  push(fullName: string, wanted?: WantedPush): Promise<Pushed>
  /** Deletes a ref. */
  remove(fullName: string, ref: string, by?: string): Promise<void>
  /** Tells of whatever a client has pushed over HTTP since `before`. */
  tellPushes(repository: Repository, before: ReadonlyMap<string, string>, sender: Account): Promise<void>
}

const AUTHOR = { name: 'Ada', email: 'ada@example.com' }

/** What changes of contents are told by. */
export type ContentEvents = Pick<Events, 'push' | 'pull'>

export function createRepositories(world: World, events: ContentEvents, folder: string): Repositories {
  async function readRefs(repository: Repository): Promise<void> {
    if (!repository.git) return
    const found = await repository.git.listRefs()
    repository.refs.clear()
    for (const [ref, sha] of found) {
      repository.refs.set(ref, sha)
      repository.commits.add(sha)
    }
  }

  async function tellChange(
    repository: Repository,
    ref: string,
    { before, after }: Pushed,
    sender: Account,
  ): Promise<void> {
    const { git } = repository
    const found = git && after !== ZERO ? await git.listCommits(before, after) : []
    for (const { id } of found) repository.commits.add(id)
    const commits = await Promise.all(found.map((commit) => withFiles(repository, commit)))
    const forced = git !== null && before !== ZERO && after !== ZERO && !(await git.contains(before, after))
    events.push(repository, { ref, before, after, forced, commits }, sender)
    for (const pull of repository.pulls.values()) await follow(pull, repository, ref, after)
  }

  /** Pull requests follow their branch: those of other repositories too. */
  async function follow(pull: PullRequest, base: Repository, ref: string, after: string): Promise<void> {
    if (pull.state !== 'open' || pull.headRepository !== base || ref !== `refs/heads/${pull.headRef}`) return
    const before = pull.headSha
    pull.headSha = after
    pull.updatedAt = world.clock.text()
    events.pull(base, pull, 'synchronize', { before, after })
  }

  async function followFromForks(fork: Repository, ref: string, after: string): Promise<void> {
    const base = fork.forkOf
    if (!base?.git || !fork.git) return
    for (const pull of base.pulls.values()) {
      if (pull.headRepository !== fork || pull.state !== 'open' || ref !== `refs/heads/${pull.headRef}`) continue
      await base.git.take(fork.git, after, `refs/pull/${pull.number}/head`)
      base.commits.add(after)
      const before = pull.headSha
      pull.headSha = after
      pull.updatedAt = world.clock.text()
      events.pull(base, pull, 'synchronize', { before, after })
    }
  }

  return {
    async add(fullName, wanted = {}) {
      const [ownerLogin = '', name = ''] = fullName.split('/')
      const owner = accountOf(world, ownerLogin, wanted.ownerType ?? 'Organization')
      const { defaultBranch = 'main', files, branches = [] } = wanted
      const forkOf = wanted.forkOf === undefined ? null : getRepository(world, wanted.forkOf)
      const hasGit = files !== undefined || forkOf !== null
      const git = hasGit ? await openRepository(join(folder, `${fullName}.git`), defaultBranch) : null
      const repository: Repository = {
        id: world.nextId(),
        owner,
        name,
        private: wanted.private ?? true,
        defaultBranch,
        forkOf,
        refs: new Map(branches.map((branch) => [`refs/heads/${branch}`, inventSha(`${fullName} ${branch}`)])),
        commits: new Set(branches.map((branch) => inventSha(`${fullName} ${branch}`))),
        git,
        roles: new Map(),
        pulls: new Map(),
        comments: new Map(),
        statuses: [],
        checkRuns: new Map(),
        hooks: new Map(),
        createdAt: world.clock.text(),
        latestNumber: 0,
      }
      world.repositories.set(repository.id, repository)
      world.byName.set(fullName.toLowerCase(), repository)
      const ref = `refs/heads/${defaultBranch}`
      const head = forkOf?.refs.get(ref)
      if (git && forkOf?.git && head !== undefined) await git.take(forkOf.git, head, ref)
      if (git && files) {
        await git.commit({ ref, files, message: 'first commit', author: AUTHOR, at: world.clock.now() })
      }
      await readRefs(repository)
      return repository
    },
    async push(fullName, { ref = 'refs/heads/main', files, message = 'a change', onto, by } = {}) {
      const repository = getRepository(world, fullName)
      const { git } = repository
      const sender = by === undefined ? repository.owner : accountOf(world, by)
      const before = repository.refs.get(ref) ?? ZERO
      const parent = onto ?? (before === ZERO ? repository.refs.get(`refs/heads/${repository.defaultBranch}`) : before)
      const author = { name: sender.login, email: `${sender.login}@example.com` }
      const after = git
        ? await git.commit({ ref, files: files ?? {}, message, author, at: world.clock.now(), parent: parent ?? null })
        : inventSha(`${fullName} ${ref} ${world.nextId()}`)
      repository.refs.set(ref, after)
      repository.commits.add(after)
      await tellChange(repository, ref, { before, after }, sender)
      await followFromForks(repository, ref, after)
      return { before, after }
    },
    async remove(fullName, ref, by) {
      const repository = getRepository(world, fullName)
      const before = repository.refs.get(ref) ?? ZERO
      await repository.git?.setRef(ref, null)
      repository.refs.delete(ref)
      const sender = by === undefined ? repository.owner : accountOf(world, by)
      await tellChange(repository, ref, { before, after: ZERO }, sender)
    },
    async tellPushes(repository, before, sender) {
      await readRefs(repository)
      for (const ref of new Set([...before.keys(), ...repository.refs.keys()])) {
        const [was, is] = [before.get(ref) ?? ZERO, repository.refs.get(ref) ?? ZERO]
        if (was === is) continue
        await tellChange(repository, ref, { before: was, after: is }, sender)
        await followFromForks(repository, ref, is)
      }
    },
  }
}

async function withFiles({ git }: Repository, commit: FoundCommit) {
  const files = git ? await git.listChanges(commit.parents[0] ?? EMPTY_TREE, commit.id) : []
  const named = (status: string) => files.filter((file) => file.status === status).map(({ filename }) => filename)
  return { ...commit, added: named('added'), modified: named('modified'), removed: named('removed') }
}

/** The name of the tree without files. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

export interface WantedPull {
  /** The branch, without refs/heads/. */
  readonly head: string
  /** The full name of the fork that has it; the repository itself by default. */
  readonly from?: string
  readonly base?: string
  readonly title?: string
  readonly body?: string
  readonly by?: string
}

export async function openPull(
  world: World,
  events: ContentEvents,
  fullName: string,
  wanted: WantedPull,
): Promise<PullRequest> {
  const repository = getRepository(world, fullName)
  const source = wanted.from === undefined ? repository : getRepository(world, wanted.from)
  const base = wanted.base ?? repository.defaultBranch
  const headSha = source.refs.get(`refs/heads/${wanted.head}`)
  const baseSha = repository.refs.get(`refs/heads/${base}`)
  if (headSha === undefined || baseSha === undefined) throw new Error(`${fullName} lacks ${wanted.head} or ${base}.`)
  repository.latestNumber += 1
  const now = world.clock.text()
  const pull: PullRequest = {
    id: world.nextId(),
    number: repository.latestNumber,
    author: wanted.by === undefined ? source.owner : accountOf(world, wanted.by),
    headRepository: source,
    headRef: wanted.head,
    headSha,
    baseRef: base,
    baseSha,
    title: wanted.title ?? `Merge ${wanted.head}`,
    body: wanted.body ?? null,
    state: 'open',
    merged: false,
    createdAt: now,
    updatedAt: now,
  }
  repository.pulls.set(pull.number, pull)
  repository.commits.add(headSha)
  const ref = `refs/pull/${pull.number}/head`
  if (source !== repository && source.git) await repository.git?.take(source.git, headSha, ref)
  else await repository.git?.setRef(ref, headSha)
  events.pull(repository, pull, 'opened')
  return pull
}
