import { type Permission, ROLE_NAMES } from '@signalbox/contracts/access'
import { createHoldings, type HeldRole, type Holdings, holdsRole, rolePaths } from './holdings.ts'
import { readRoleName } from './permissions.ts'
import { type Limits, leavesScope, type Narrowable, narrow } from './token-limits.ts'

/** Kinds of subjects that a token, a trigger or a run can stand for. */
export type SubjectKind = 'user' | 'service_account' | 'bootstrap' | 'system'

/** Fulfils `Caller` of platform/http. */
export interface Subject extends Holdings {
  readonly kind: SubjectKind
  readonly id: string
  readonly name: string
  readonly token?: SubjectToken
  /** One for each owner, and for each of the limits of its tokens, in one snapshot. */
  readonly rights: object
  mayUse(scope: string): boolean
}

/** The token by which a subject asks. */
export interface SubjectToken {
  readonly id: string
  readonly name: string
  readonly limits?: Limits
}

/** The rights of all subjects at one revision. A snapshot never changes; a newer one replaces it. */
export interface AccessSnapshot {
  readonly revision: number
  /** Undefined for a subject that does not exist or is disabled. With a token: within the limits of that. */
  subject(kind: SubjectKind, id: string, token?: SubjectToken): Subject | undefined
  /**
   * Whether the subject may use `<team path>/<environment>`, by scope.use on the team. A protected environment must name the
   * subject or a group of it. An environment that does not exist: false.
   */
  canUseScope(subject: UserOfScopes, scope: string): boolean
  /**
   * The verdict that the subject is told. `unknown`: the scope does not exist, or lies in a team whose environments the subject
   * may not see; the two look alike.
   */
  judgeScope(subject: UserOfScopes, scope: string): ScopeVerdict
  /** A sentence for somebody whom `judgeScope` forbids a scope: who may use it. */
  whoMayUse(scope: string): string
  readonly administratorExists: boolean
  readonly bootstrapRevoked: boolean
  /**
   * The names of the subject in documents: `user:<login>`, `service_account:<team path>/<name>`, and `group:<name>` of
   * each group that it is in.
   */
  calledBy(subject: { readonly kind: SubjectKind; readonly id: string }): readonly string[]
  /** Whether the subject has everything that the role allows at the path. Unknown roles: false. */
  hasRole(holder: UserOfScopes, role: string, teamPath: string): boolean
  /**
   * The enabled subjects that a document means by a name, as `calledBy` calls them. `role:<role>` means the users, and the
   * bootstrap token, that have the role at the path.
   */
  listNamed(name: string, teamPath: string): readonly Subject[]
  /** Every role with the shortest paths at and below which the subject has it, as `hasRole` judges. */
  listRoles(holder: Pick<Subject, 'can' | 'prefixes'>): readonly HeldRole[]
}

export type ScopeVerdict = 'usable' | 'forbidden' | 'unknown'

export interface UserOfScopes {
  readonly kind: SubjectKind
  readonly id: string
  readonly token?: SubjectToken
  /** As of a caller: no protected scope is for them, whomever it names. */
  readonly openScopesOnly?: true
  can(permission: Permission, teamPath: string): boolean
}

/** Enabled subjects only. */
export interface SnapshotData {
  readonly revision: number
  readonly bootstrapRevoked: boolean
  readonly users: readonly { readonly id: string; readonly login: string }[]
  readonly serviceAccounts: readonly { readonly id: string; readonly teamPath: string; readonly name: string }[]
  readonly groups: readonly { readonly id: string; readonly name: string }[]
  readonly members: readonly { readonly groupId: string; readonly userId: string }[]
  readonly grants: readonly (HeldRole & {
    readonly subjectKind: 'user' | 'group' | 'service_account'
    readonly subjectId: string
  })[]
  readonly scopes: readonly {
    readonly teamPath: string
    readonly environment: string
    readonly protected: boolean
    readonly allowedSubjects: readonly string[]
  }[]
}

export const BOOTSTRAP_ID = 'bootstrap'

export function createSnapshot(data: SnapshotData): AccessSnapshot {
  const grants = Map.groupBy(data.grants, (grant) => `${grant.subjectKind}:${grant.subjectId}`)
  const groups = Map.groupBy(data.members, (member) => member.userId)
  const names = new Map<string, string>([
    ...data.users.map((user): [string, string] => [`user:${user.id}`, user.login]),
    ...data.serviceAccounts.map((account): [string, string] => [
      `service_account:${account.id}`,
      `${account.teamPath}/${account.name}`,
    ]),
  ])
  const groupNames = new Map(data.groups.map((group) => [group.id, group.name]))
  const scopes = new Map(data.scopes.map((scope) => [`${scope.teamPath}/${scope.environment}`, scope]))
  const made = new Map<string, Subject>()
  const narrowed = new WeakMap<Subject, WeakMap<Limits, Narrowable>>()
  const keys = new Map([...names].map(([key, name]) => [`${key.slice(0, key.indexOf(':'))}:${name}`, key]))
  const membersOf = Map.groupBy(data.members, (member) => `group:${groupNames.get(member.groupId) ?? ''}`)
  /** By role and path: looking through all users is for once. */
  const holders = new Map<string, readonly Subject[]>()
  const groupsOf = (userId: string): readonly string[] => groups.get(userId)?.map((member) => member.groupId) ?? []

  function rolesOf(kind: SubjectKind, id: string): readonly HeldRole[] {
    if (kind === 'bootstrap') return [{ role: 'administrator', teamPath: '/' }]
    const own = grants.get(`${kind}:${id}`) ?? []
    return kind === 'user' ? [...own, ...groupsOf(id).flatMap((group) => grants.get(`group:${group}`) ?? [])] : own
  }

  function subject(kind: SubjectKind, id: string, token?: SubjectToken): Subject | undefined {
    const owner = ownerOf(kind, id)
    if (!owner || !token) return owner
    if (!token.limits) return { ...owner, token }
    const rights = narrowedTo(owner, token.limits)
    return { ...owner, ...rights, token, rights }
  }

  /** Neither an owner nor limits ever change, and a token sends many requests. */
  function narrowedTo(owner: Subject, limits: Limits): Narrowable {
    const ofOwner = narrowed.get(owner) ?? new WeakMap<Limits, Narrowable>()
    narrowed.set(owner, ofOwner)
    const rights = ofOwner.get(limits) ?? narrow(owner, limits)
    ofOwner.set(limits, rights)
    return rights
  }

  function ownerOf(kind: SubjectKind, id: string): Subject | undefined {
    if (kind === 'system') {
      const everything = { byPath: new Map(), can: () => true, prefixes: () => ['/'] }
      return { kind, id, name: id, ...everything, mayUse: (scope) => scopes.has(scope), rights: everything }
    }
    const key = `${kind}:${id}`
    const known = made.get(key)
    if (known) return known
    const name = kind === 'bootstrap' ? bootstrapName(id) : names.get(key)
    if (name === undefined) return undefined
    const holdings = createHoldings(rolesOf(kind, id))
    const mayUse = (scope: string): boolean => canUseScope({ kind, id, can: holdings.can }, scope)
    const fresh: Subject = { kind, id, name, ...holdings, mayUse, rights: holdings }
    made.set(key, fresh)
    return fresh
  }

  function holdersOf(name: string, teamPath: string): readonly Subject[] {
    const role = readRoleName(name)
    if (!role) return []
    const key = `${role} ${teamPath}`
    const known = holders.get(key)
    if (known) return known
    const everybody = [...data.users.map(({ id }) => subject('user', id)), subject('bootstrap', BOOTSTRAP_ID)]
    const found = everybody.filter((each) => each !== undefined).filter((each) => holdsRole(each, { role, teamPath }))
    holders.set(key, found)
    return found
  }

  function bootstrapName(id: string): string | undefined {
    return id === BOOTSTRAP_ID && !data.bootstrapRevoked ? 'bootstrap token' : undefined
  }

  const isAdministrator = (kind: 'user' | 'service_account', id: string): boolean =>
    rolesOf(kind, id).some(({ role }) => role === 'administrator')

  function whoMayUse(scope: string): string {
    const target = scopes.get(scope)
    if (!target?.protected)
      return `The scope takes the permission scope.use on ${scope.slice(0, scope.lastIndexOf('/'))}.`
    const allowed = target.allowedSubjects.map((ref) => {
      const [kind = '', id = ''] = ref.split(':')
      return `${kind}:${(kind === 'group' ? groupNames.get(id) : names.get(ref)) ?? id}`
    })
    const who = allowed.length === 0 ? 'nobody' : `only ${allowed.toSorted().join(', ')}`
    return `The scope is protected: ${who} may use it.`
  }

  function canUseScope(user: UserOfScopes, scope: string): boolean {
    const target = scopes.get(scope)
    // A protected environment names its subjects: it asks for no permission, which the limits would refuse.
    if (!target || !leavesScope(user.token?.limits, scope)) return false
    if (user.kind === 'system') return true
    if (!target.protected) return user.can('scope.use', target.teamPath)
    if (user.openScopesOnly) return false
    const refs = [`${user.kind}:${user.id}`]
    if (user.kind === 'user') refs.push(...groupsOf(user.id).map((group) => `group:${group}`))
    return refs.some((ref) => target.allowedSubjects.includes(ref))
  }

  return {
    revision: data.revision,
    bootstrapRevoked: data.bootstrapRevoked,
    administratorExists:
      data.users.some(({ id }) => isAdministrator('user', id)) ||
      data.serviceAccounts.some(({ id }) => isAdministrator('service_account', id)),
    subject,
    calledBy({ kind, id }) {
      const name = names.get(`${kind}:${id}`)
      if (name === undefined) return []
      const groupsOfSubject = kind === 'user' ? groupsOf(id).map((group) => `group:${groupNames.get(group) ?? ''}`) : []
      return [`${kind}:${name}`, ...groupsOfSubject]
    },
    hasRole(holder, role, teamPath) {
      const known = readRoleName(role)
      return known !== undefined && holdsRole(holder, { role: known, teamPath })
    },
    listNamed(name, teamPath) {
      if (name.startsWith('role:')) return holdersOf(name.slice('role:'.length), teamPath)
      const group = membersOf.get(name)
      if (group) return group.flatMap(({ userId }) => subject('user', userId) ?? [])
      const [kind, id = ''] = keys.get(name)?.split(':') ?? []
      const one = kind === 'user' || kind === 'service_account' ? subject(kind, id) : undefined
      return one ? [one] : []
    },
    listRoles: (holder) =>
      ROLE_NAMES.flatMap((role) => rolePaths(holder, role).map((teamPath) => ({ role, teamPath }))),
    canUseScope,
    whoMayUse,
    judgeScope(user, scope) {
      if (canUseScope(user, scope)) return 'usable'
      const teamPath = scope.slice(0, scope.lastIndexOf('/'))
      return scopes.has(scope) && user.can('environment.read', teamPath) ? 'forbidden' : 'unknown'
    },
  }
}
