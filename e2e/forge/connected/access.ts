import { type Account, findRepository, type Repository, type Role, type World } from '../github/world.ts'
import { type Call, Refusal } from '../http/call.ts'
import type { Dialect, Scope } from './dialect.ts'

/** A token of a person. */
export interface PersonToken {
  readonly value: string
  readonly person: Account
  readonly scopes: readonly string[]
  /** Milliseconds since 1970; null: it does not end. */
  readonly expiresAt: number | null
}

export const RANKS: Readonly<Record<Role, number>> = { read: 1, triage: 1, write: 2, maintain: 3, admin: 3 }

export interface Access {
  /** The person of a call whose token has the scope; throws the provider's refusal. */
  readPerson(call: Call, scope: Scope): PersonToken
  /** The repository of a call, for a person whose role there is enough. */
  enter(call: Call, scope: Scope, role: Role): { readonly token: PersonToken; readonly repository: Repository }
  findLive(value: string | undefined): PersonToken | undefined
  roleOf(person: Account, repository: Repository): Role | undefined
}

export function createAccess(world: World, dialect: Dialect, tokens: ReadonlyMap<string, PersonToken>): Access {
  function findLive(value: string | undefined): PersonToken | undefined {
    const token = tokens.get(value ?? '')
    return token && (token.expiresAt ?? Number.POSITIVE_INFINITY) > world.clock.now() ? token : undefined
  }

  function valueOf({ headers }: Call): string | undefined {
    const own = dialect.tokenHeader === null ? undefined : headers[dialect.tokenHeader]
    if (typeof own === 'string') return own
    return /^(?:Bearer|token) (.+)$/i.exec(headers.authorization ?? '')?.[1]
  }

  function roleOf(person: Account, repository: Repository): Role | undefined {
    return repository.owner.id === person.id ? 'admin' : repository.roles.get(person.id)
  }

  function readPerson(call: Call, scope: Scope): PersonToken {
    const token = findLive(valueOf(call))
    if (!token) throw new Refusal(dialect.unauthorized)
    if (!dialect.admits(token.scopes, scope)) throw new Refusal(dialect.lacksScope(scope))
    return token
  }

  return {
    readPerson,
    findLive,
    roleOf,
    enter(call, scope, needed) {
      const token = readPerson(call, scope)
      const repository = repositoryOf(world, call)
      const role = repository && roleOf(token.person, repository)
      if (!repository || (repository.private && !role)) throw new Refusal(dialect.notFound)
      const rank = role ? RANKS[role] : RANKS.read
      if (rank < RANKS[needed]) throw new Refusal(dialect.forbidden)
      return { token, repository }
    },
  }
}

/** By owner and name, or by the encoded full name or the id of a project. */
function repositoryOf(world: World, { params }: Call): Repository | undefined {
  const { project, owner, repo } = params
  if (project === undefined) return findRepository(world, `${owner}/${repo}`)
  return /^\d+$/.test(project) ? world.repositories.get(Number(project)) : findRepository(world, project)
}
