import type { Call } from '../http/call.ts'
import { notFound, refuse } from './refusals.ts'
import { covers, findRepository, type Installation, type Repository, type Token, type World } from './world.ts'

const RANKS: Readonly<Record<string, number>> = { read: 1, triage: 1, write: 2, maintain: 2, admin: 3 }

/** The permission that a call needs: `checks: write`. Several: one of them is enough. */
export type Need = readonly [permission: string, access: 'read' | 'write']

/** The token of a call; throws the refusal for one that is unknown, expired or suspended. */
export function readToken(world: World, header: string | undefined): Token {
  const value = /^(?:Bearer|token) (.+)$/i.exec(header ?? '')?.[1]
  if (value === undefined) throw refuse(401, 'Requires authentication')
  return findLiveToken(world, value)
}

export function findLiveToken(world: World, value: string): Token {
  const token = world.tokens.get(value)
  if (!token || token.expiresAt <= world.clock.now()) throw refuse(401, 'Bad credentials')
  if (token.refusals > 0) {
    token.refusals -= 1
    throw refuse(401, 'Bad credentials')
  }
  if (token.installation && !world.installations.has(token.installation.id)) throw refuse(401, 'Bad credentials')
  if (token.installation?.suspendedAt) throw refuse(403, 'This installation has been suspended')
  return token
}

/** The installation of a call that only an installation may make. */
export function readInstallation(world: World, call: Call): { token: Token; installation: Installation } {
  const token = readToken(world, call.headers.authorization)
  if (!token.installation)
    throw refuse(
      403,
      'You must authenticate with an installation access token in order to list repositories for an installation.',
    )
  return { token, installation: token.installation }
}

export interface Entered {
  readonly token: Token
  readonly repository: Repository
}

/** Whoever sends no token. */
const NOBODY: Token = {
  value: '',
  installation: null,
  person: { id: 0, login: '', type: 'User' },
  permissions: {},
  repositoryIds: null,
  expiresAt: Number.POSITIVE_INFINITY,
  refusals: 0,
}

/** The repository of the path, for a token that may do this there. Anonymous callers may read public repositories. */
export function enter(world: World, call: Call, ...needs: readonly Need[]): Entered {
  const token = call.headers.authorization === undefined ? NOBODY : readToken(world, call.headers.authorization)
  const repository = findRepository(world, `${call.params['owner']}/${call.params['repo']}`)
  if (!repository || !sees(token, repository)) throw notFound()
  if (needs.some((need) => holds(token, repository, need))) return { token, repository }
  throw token === NOBODY ? refuse(401, 'Requires authentication') : lacks(token, needs)
}

/** Whether a token is told that the repository exists. */
export function sees(token: Token, repository: Repository): boolean {
  if (!repository.private) return true
  return reaches(token, repository)
}

/** Whether the token was made for this repository, as its installation or person still has it. */
export function reaches({ installation, person, repositoryIds }: Token, repository: Repository): boolean {
  if (repositoryIds && !repositoryIds.has(repository.id)) return false
  if (installation) return covers(installation, repository)
  return repository.owner.id === person.id || repository.roles.has(person.id)
}

export function holds(token: Token, repository: Repository, [permission, access]: Need): boolean {
  const publicRead = !repository.private && access === 'read' && PUBLIC.includes(permission)
  if (publicRead) return true
  if (!reaches(token, repository)) return false
  const { installation, person, permissions } = token
  if (installation) {
    // A token keeps what it was given, but never more than its installation has now.
    const given = Math.min(rankOf(permissions[permission]), rankOf(installation.permissions[permission]))
    return given >= rankOf(access)
  }
  if (permission === 'checks' && access === 'write') return false
  const role = repository.owner.id === person.id ? 'admin' : repository.roles.get(person.id)
  return rankOf(role) >= (permission === 'repository_hooks' ? rankOf('admin') : rankOf(access))
}

/** What everybody may read of a public repository. */
const PUBLIC = ['metadata', 'contents', 'pull_requests', 'issues', 'checks', 'statuses']

function rankOf(access: string | undefined): number {
  return RANKS[access ?? ''] ?? 0
}

function lacks(token: Token, needs: readonly Need[]) {
  if (!token.installation) {
    const checks = needs.some(([permission]) => permission === 'checks')
    return checks
      ? refuse(403, 'You must authenticate via a GitHub App.')
      : refuse(403, 'Resource not accessible by personal access token')
  }
  return refuse(403, 'Resource not accessible by integration')
}
