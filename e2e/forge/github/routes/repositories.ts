import type { Answer, Call } from '../../http/call.ts'
import type { Route } from '../../http/route.ts'
import { enter, type Need, reaches, readToken } from '../caller.ts'
import { describeBranch, describeCommit, describeFile, describePermission, describePull } from '../describe.ts'
import { pageOf } from '../paging.ts'
import { notFound, refuse } from '../refusals.ts'
import { describeAccount, describeRepository } from '../shapes.ts'
import { type PullRequest, type Repository, type World } from '../world.ts'

const METADATA: Need = ['metadata', 'read']
const CONTENTS: Need = ['contents', 'read']
const PULLS: Need = ['pull_requests', 'read']

const REPOSITORY = '/repos/{owner}/{repo}'
/** The most files that GitHub lists of a pull request. */
const MOST_FILES = 3000

/** Repositories, branches, commits, pull requests, and who may do what. */
export function repositoryRoutes(world: World): readonly Route[] {
  return [
    {
      method: 'GET',
      path: REPOSITORY,
      handle(call) {
        const { repository } = enter(world, call, METADATA)
        const counts = { network_count: 0, subscribers_count: 0 }
        return { status: 200, body: { ...describeRepository(world, repository), ...counts } }
      },
    },
    {
      method: 'GET',
      path: `${REPOSITORY}/branches`,
      handle(call) {
        const { repository } = enter(world, call, CONTENTS)
        const branches = [...repository.refs].filter(([ref]) => ref.startsWith('refs/heads/')).sort(byName)
        return pageOf(world.url, call, branches, ([ref, sha]) => describeBranch(world, repository, ref, sha))
      },
    },
    { method: 'GET', path: `${REPOSITORY}/commits/{ref}`, handle: (call) => findCommit(world, call) },
    {
      method: 'GET',
      path: `${REPOSITORY}/collaborators/{username}/permission`,
      handle: (call) => findPermission(world, call),
    },
    {
      method: 'GET',
      path: `${REPOSITORY}/pulls`,
      handle(call) {
        const { repository } = enter(world, call, PULLS)
        const state = call.query.get('state') ?? 'open'
        const head = call.query.get('head')
        const pulls = [...repository.pulls.values()]
          .filter((pull) => state === 'all' || pull.state === state)
          .filter((pull) => head === null || `${pull.headRepository?.owner.login}:${pull.headRef}` === head)
          .sort((a, b) => b.number - a.number)
        return pageOf(world.url, call, pulls, (pull) => describePull(world, repository, pull))
      },
    },
    {
      method: 'GET',
      path: `${REPOSITORY}/pulls/{pull_number}`,
      handle(call) {
        const { repository } = enter(world, call, PULLS)
        const counts = { mergeable: true, mergeable_state: 'clean', merged_by: null, maintainer_can_modify: false }
        return { status: 200, body: { ...describePull(world, repository, pullOf(repository, call)), ...counts } }
      },
    },
    { method: 'GET', path: `${REPOSITORY}/pulls/{pull_number}/files`, handle: (call) => listFiles(world, call) },
    { method: 'GET', path: '/user', handle: (call) => findSelf(world, call) },
    { method: 'GET', path: '/rate_limit', handle: (call) => describeRate(world, call) },
  ]
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1
}

function pullOf(repository: Repository, { params }: Call): PullRequest {
  const pull = repository.pulls.get(Number(params['pull_number']))
  if (!pull) throw notFound()
  return pull
}

async function findCommit(world: World, call: Call): Promise<Answer> {
  const { repository } = enter(world, call, CONTENTS)
  const ref = call.params['ref'] ?? ''
  const sha = repository.refs.get(`refs/heads/${ref}`) ?? repository.refs.get(`refs/tags/${ref}`) ?? ref
  const commit = await repository.git?.findCommit(sha)
  if (!commit) throw refuse(422, `No commit found for SHA: ${ref}`)
  return { status: 200, body: describeCommit(world, repository, commit) }
}

async function listFiles(world: World, call: Call): Promise<Answer> {
  const { repository } = enter(world, call, PULLS)
  const pull = pullOf(repository, call)
  const files = (await repository.git?.listChanges(pull.baseSha, pull.headSha)) ?? []
  return pageOf(world.url, call, files.slice(0, MOST_FILES), (file) =>
    describeFile(world, repository, pull.headSha, file),
  )
}

function findPermission(world: World, call: Call): Answer {
  const { token, repository } = enter(world, call, METADATA)
  if (!reaches(token, repository)) throw refuse(403, 'Must have push access to view collaborator permission.')
  const account = world.accounts.get((call.params['username'] ?? '').toLowerCase())
  if (!account) throw refuse(404, `${call.params['username']} is not a user`)
  const role = account.id === repository.owner.id ? 'admin' : repository.roles.get(account.id)
  const described = describePermission(role ?? (repository.private ? 'none' : 'read'))
  return { status: 200, body: { ...described, user: describeAccount(world, account) } }
}

function findSelf(world: World, call: Call): Answer {
  const token = readToken(world, call.headers.authorization)
  if (token.installation) throw refuse(403, 'Resource not accessible by integration')
  return { status: 200, body: { ...describeAccount(world, token.person), ...UNTOLD, name: token.person.login } }
}

/** What a profile holds beside an account. */
const UNTOLD = {
  bio: null,
  blog: null,
  company: null,
  email: null,
  hireable: null,
  location: null,
  followers: 0,
  following: 0,
  public_gists: 0,
  public_repos: 0,
  created_at: '2019-05-15T15:20:31Z',
  updated_at: '2019-05-15T15:20:31Z',
}

function describeRate(world: World, call: Call): Answer {
  readToken(world, call.headers.authorization)
  const used = world.used.get(call.headers.authorization ?? '') ?? 0
  const reset = Math.ceil(world.clock.now() / 1000) + 3600
  const core = { limit: world.rateLimit, used, remaining: Math.max(0, world.rateLimit - used), reset }
  return { status: 200, body: { resources: { core, search: core }, rate: core } }
}
