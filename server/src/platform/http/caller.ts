import { isPermission, type Permission } from '@signalbox/contracts/access'
import type { Owner, Principal } from '@signalbox/contracts/http'
import { platformProblem } from '#platform/problems'
import type { Credentials } from './credentials.ts'

/**
 * The subject of a request, and the permissions of that subject by team. Made by the authenticator that the house hands
 * in.
 */
export interface Caller extends Principal {
  /** Of a request with a token of a user or service account. The questions below are answered within its limits. */
  readonly token?: CallerToken
  /** Of a user who signed in to the page: which of their sessions the request came with. */
  readonly sessionId?: string
  /**
   * Stands for all that the caller holds. Callers with the same one get the same answers to the questions below; a change of
   * rights makes another. What costs much to work out of rights can be kept by it, weakly.
   */
  readonly rights?: object
  /** Of somebody who acts in the name of the subject: protected environments that name the subject are not for them. */
  readonly openScopesOnly?: true
  /** True when the subject holds `permission` at `teamPath` or at a path above it; `/` is the platform. */
  can(permission: Permission, teamPath: string): boolean
  /** The shortest team paths at and below which the subject holds `permission`; `['/']` means everywhere. */
  prefixes(permission: Permission): readonly string[]
  /** True when the subject may use the environment `<team path>/<environment>`; a protected one names who may. */
  mayUse(scope: string): boolean
}

export interface CallerToken {
  readonly id: string
  readonly name: string
  /** Absent: it may do what its owner may. */
  readonly limits?: CallerLimits
}

/** The most that a token may do of what its owner may. What is absent limits nothing. */
export interface CallerLimits {
  readonly permissions?: readonly string[]
  readonly teamPath?: string
  readonly isReadOnly: boolean
  readonly families?: readonly string[]
}

/** A caller as the routes see it: each question is noted, so that an Authorized route cannot forget to ask. */
export interface AskedCaller extends Caller {
  readonly asked: boolean
  /** Everything that the route asked for and that the caller held; kept where `keepsHeld` says so, else empty. */
  readonly held: readonly HeldPermission[]
}

/** A permission of an older version may be among those that were kept. For USED the path is that of an environment. */
export type HeldPermission = readonly [permission: string, teamPath: string]

/** No permission has this name. */
export const USED = 'uses the environment'

/** Whether the caller holds what a request needed when it was answered: team paths never change. */
export function holdsAll(caller: Pick<Caller, 'can' | 'mayUse'>, held: readonly HeldPermission[]): boolean {
  return held.every(([permission, path]) =>
    permission === USED ? caller.mayUse(path) : isPermission(permission) && caller.can(permission, path),
  )
}

/** Port that the rooms access (tokens) and sessions fulfil. */
export interface Authenticator {
  /**
   * The caller behind a token or a session; undefined when it is not valid.
   * Throws `authorization_unavailable` (503) when it cannot be known: the request must not proceed; `rate_limited`
   * (429) when the address has sent too many invalid ones.
   */
  authenticate(credentials: Credentials, address: string): Promise<Caller | undefined>
  /**
   * Authenticates what was valid before, for an answer that is still being sent; undefined when it is no longer valid.
   * Counts no failures. Throws `authorization_unavailable` (503).
   */
  authenticateAgain(credentials: Credentials): Promise<Caller | undefined>
  /** Calls the listener when rights change; answers how to stop listening. */
  onChange(listener: () => void): () => void
  /** Throws `authorization_unavailable` (503) where no fresh enough snapshot of the grants can be had. */
  requireFresh(): Promise<void>
  /** Whether first-install setup is still locked (no administrator exists and none is configured). */
  isSetupLocked(): Promise<boolean>
}

/** `keepsHeld`: the answer is given again later, or is sent for long, so its right is judged again. */
export function watchCaller(caller: Caller, keepsHeld = false): AskedCaller {
  return new WatchedCaller(caller, keepsHeld)
}

class WatchedCaller implements AskedCaller {
  readonly kind: Caller['kind']
  readonly id: string
  readonly name: string
  readonly sessionId?: string
  readonly token?: CallerToken
  readonly rights?: object
  readonly #caller: Caller
  readonly #held: Map<string, HeldPermission> | undefined
  #asked = false

  constructor(caller: Caller, keepsHeld: boolean) {
    this.#held = keepsHeld ? new Map() : undefined
    this.kind = caller.kind
    this.id = caller.id
    this.name = caller.name
    if (caller.sessionId !== undefined) this.sessionId = caller.sessionId
    if (caller.token !== undefined) this.token = caller.token
    if (caller.rights !== undefined) this.rights = caller.rights
    this.#caller = caller
  }

  get asked(): boolean {
    return this.#asked
  }

  can(permission: Permission, teamPath: string): boolean {
    this.#asked = true
    const isHeld = this.#caller.can(permission, teamPath)
    if (isHeld) this.#note(permission, teamPath)
    return isHeld
  }

  prefixes(permission: Permission): readonly string[] {
    this.#asked = true
    const paths = this.#caller.prefixes(permission)
    for (const path of paths) this.#note(permission, path)
    return paths
  }

  mayUse(scope: string): boolean {
    const isUsable = this.#caller.mayUse(scope)
    if (isUsable) this.#note(USED, scope)
    return isUsable
  }

  get held(): readonly HeldPermission[] {
    return [...(this.#held?.values() ?? [])]
  }

  #note(permission: Permission | typeof USED, path: string): void {
    this.#held?.set(`${permission} ${path}`, [permission, path])
  }
}

/** The caller without permissions: to keep the owner, starter or decider of something. */
export function principalOf({ kind, id, name }: Caller): Principal {
  return { kind, id, name }
}

/** The caller as an owner. Throws unauthenticated (401) for the product itself. */
export function ownerOf({ kind, id, name }: Caller): Owner {
  if (kind !== 'system') return { kind, id, name }
  throw platformProblem('unauthenticated', 'Runs need an owner: use the token of a user or service account.')
}

/** The caller of code that acts for the product itself (a schedule, a sweep); it may do everything. */
export function systemCaller(name: string): Caller {
  return { kind: 'system', id: name, name, can: () => true, prefixes: () => ['/'], mayUse: () => true }
}

/** Where the caller holds a permission: everywhere, or of that the part at one team and below it. */
export function prefixesOf(caller: Caller, permission: Permission, within: string | undefined): readonly string[] {
  const prefixes = caller.prefixes(permission)
  return within === undefined ? prefixes : prefixesWithin(prefixes, within)
}

/** The part of the visible prefixes that lies at one team and below it. */
export function prefixesWithin(prefixes: readonly string[], teamPath: string): string[] {
  const found = new Set<string>()
  for (const prefix of prefixes) {
    if (prefix === '/' || prefix === teamPath || teamPath.startsWith(`${prefix}/`)) return [teamPath]
    if (prefix.startsWith(`${teamPath}/`)) found.add(prefix)
  }
  return [...found]
}
