import { createHash, type KeyObject, randomBytes } from 'node:crypto'
import type { ForgeClock } from '../clock.ts'
import type { BareRepository } from '../git/bare-repository.ts'
import type { Hook, Mailbox } from '../webhooks/mailbox.ts'

export type Permissions = Readonly<Record<string, string>>
export type Role = 'read' | 'triage' | 'write' | 'maintain' | 'admin'

export interface Account {
  readonly id: number
  login: string
  readonly type: 'User' | 'Organization' | 'Bot'
}

export interface Repository {
  readonly id: number
  readonly owner: Account
  name: string
  private: boolean
  readonly defaultBranch: string
  readonly forkOf: Repository | null
  /** Heads by the full name of the ref. */
  readonly refs: Map<string, string>
  /** The names of all commits that anybody may speak of. */
  readonly commits: Set<string>
  /** Null: its refs are only names and numbers. */
  readonly git: BareRepository | null
  /** Of people, by account. */
  readonly roles: Map<number, Role>
  readonly pulls: Map<number, PullRequest>
  readonly comments: Map<number, Comment>
  readonly statuses: Status[]
  readonly checkRuns: Map<number, CheckRun>
  readonly hooks: Map<number, RepositoryHook>
  readonly createdAt: string
  /** The number of the latest issue or pull request. */
  latestNumber: number
}

export interface PullRequest {
  readonly id: number
  readonly number: number
  readonly author: Account
  readonly headRepository: Repository | null
  readonly headRef: string
  headSha: string
  readonly baseRef: string
  readonly baseSha: string
  title: string
  body: string | null
  state: 'open' | 'closed'
  merged: boolean
  readonly createdAt: string
  updatedAt: string
}

export interface Comment {
  readonly id: number
  readonly number: number
  readonly author: Account
  /** The app that wrote it. */
  readonly app: App | null
  body: string
  readonly reactions: Reaction[]
  readonly createdAt: string
  updatedAt: string
}

export interface Reaction {
  readonly id: number
  readonly author: Account
  readonly content: string
  readonly createdAt: string
}

export interface Status {
  readonly id: number
  readonly sha: string
  readonly state: string
  readonly context: string
  readonly description: string | null
  readonly targetUrl: string | null
  readonly creator: Account
  readonly createdAt: string
}

export interface Annotation {
  readonly path: string
  readonly start_line: number
  readonly end_line: number
  readonly annotation_level: string
  readonly message: string
  readonly title: string | null
}

export interface CheckRun {
  readonly id: number
  readonly suiteId: number
  readonly app: App
  readonly headSha: string
  name: string
  externalId: string
  detailsUrl: string | null
  status: string
  conclusion: string | null
  startedAt: string | null
  completedAt: string | null
  title: string | null
  summary: string | null
  text: string | null
  readonly annotations: Annotation[]
  actions: readonly unknown[]
}

export interface RepositoryHook extends Hook {
  readonly repository: Repository
  readonly createdAt: string
  updatedAt: string
}

export interface App {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly clientId: string
  readonly clientSecret: string
  readonly owner: Account
  readonly bot: Account
  readonly description: string
  readonly externalUrl: string
  readonly redirectUrl: string | null
  readonly setupUrl: string | null
  readonly setupOnUpdate: boolean
  readonly public: boolean
  /** Public keys: GitHub keeps no private one. */
  readonly keys: KeyObject[]
  permissions: Permissions
  events: readonly string[]
  readonly hook: Hook
  readonly createdAt: string
}

export interface Installation {
  readonly id: number
  readonly app: App
  readonly account: Account
  selection: 'all' | 'selected'
  readonly repositoryIds: Set<number>
  /** What the account accepted: the app may ask for more by now. */
  permissions: Permissions
  events: readonly string[]
  suspendedAt: string | null
  readonly createdAt: string
  updatedAt: string
}

export interface Token {
  readonly value: string
  /** Null: a person's. */
  readonly installation: Installation | null
  readonly person: Account
  readonly permissions: Permissions
  /** Null: all that its installation or person has. */
  readonly repositoryIds: ReadonlySet<number> | null
  readonly expiresAt: number
  /** Calls that are still refused, as if the token were not known everywhere yet. */
  refusals: number
}

export interface ManifestCode {
  readonly code: string
  readonly app: App
  readonly privateKey: string
  readonly expiresAt: number
}

/** All that the forge knows. */
export interface World {
  /** Known once the server listens. */
  url: string
  readonly clock: ForgeClock
  readonly mailbox: Mailbox
  readonly accounts: Map<string, Account>
  readonly repositories: Map<number, Repository>
  /** By the full name in small letters. */
  readonly byName: Map<string, Repository>
  readonly apps: Map<number, App>
  readonly installations: Map<number, Installation>
  readonly tokens: Map<string, Token>
  readonly codes: Map<string, ManifestCode>
  /** How many calls refuse each new token. */
  freshTokenRefusals: number
  /** The most calls of an hour, and those left of it, by the caller. */
  rateLimit: number
  readonly used: Map<string, number>
  /** A new number, larger than all before. */
  nextId(): number
}

const FIRST_ID = 41_000

export function createWorld(url: string, clock: ForgeClock, mailbox: Mailbox): World {
  let latest = FIRST_ID
  return {
    url,
    clock,
    mailbox,
    accounts: new Map(),
    repositories: new Map(),
    byName: new Map(),
    apps: new Map(),
    installations: new Map(),
    tokens: new Map(),
    codes: new Map(),
    freshTokenRefusals: 0,
    rateLimit: 5000,
    used: new Map(),
    nextId: () => (latest += 1),
  }
}

/** The account of this login, whatever its case; made where it is new. */
export function accountOf(world: World, login: string, type: Account['type'] = 'User'): Account {
  const known = world.accounts.get(login.toLowerCase())
  if (known) return known
  const account = { id: world.nextId(), login, type }
  world.accounts.set(login.toLowerCase(), account)
  return account
}

export function fullNameOf({ owner, name }: Repository): string {
  return `${owner.login}/${name}`
}

/** Names are compared without their case, as GitHub does. */
export function findRepository(world: World, fullName: string): Repository | undefined {
  return world.byName.get(fullName.toLowerCase())
}

export function getRepository(world: World, fullName: string): Repository {
  const repository = findRepository(world, fullName)
  if (!repository) throw new Error(`The forge has no repository ${fullName}.`)
  return repository
}

export function covers(installation: Installation, repository: Repository): boolean {
  if (repository.owner.id !== installation.account.id) return false
  return installation.selection === 'all' || installation.repositoryIds.has(repository.id)
}

export function repositoriesOf(world: World, installation: Installation): readonly Repository[] {
  return [...world.repositories.values()].filter((repository) => covers(installation, repository))
}

/** A name of a commit that no repository of Git holds. */
export function inventSha(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

export function newToken(prefix: string): string {
  return `${prefix}_${randomBytes(27).toString('base64url').replaceAll(/[-_]/g, 'x')}`
}
