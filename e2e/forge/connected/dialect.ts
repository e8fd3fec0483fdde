import type { Fields } from '../fields.ts'
import type { ChangedFile } from '../git/bare-repository.ts'
import type { PushedRef } from '../github/payloads.ts'
import type {
  Account,
  Comment,
  PullRequest,
  Reaction,
  Repository,
  RepositoryHook,
  Status,
  World,
} from '../github/world.ts'
import type { Answer } from '../http/call.ts'
import type { Route } from '../http/route.ts'
import type { Delivery, Letter } from '../webhooks/mailbox.ts'

/** What a provider without apps can be asked. */
export type OperationName =
  | 'account'
  | 'tokenScopes'
  | 'owners'
  | 'owner'
  | 'person'
  | 'ownerRepositories'
  | 'personRepositories'
  | 'repository'
  | 'branches'
  | 'pulls'
  | 'pull'
  | 'pullFiles'
  | 'createStatus'
  | 'statuses'
  | 'createComment'
  | 'comments'
  | 'comment'
  | 'updateComment'
  | 'deleteComment'
  | 'react'
  | 'reactions'
  | 'permission'
  | 'hooks'
  | 'createHook'
  | 'hook'
  | 'updateHook'
  | 'deleteHook'
  | 'testHook'
  | 'hookEvents'
  | 'resendHookEvent'

/** The right that an operation needs of a token: the kind of scope, and whether it writes. */
export interface Scope {
  readonly kind: 'user' | 'organization' | 'repository' | 'issue'
  readonly access: 'read' | 'write'
}

/** An event for webhooks. */
export interface Told {
  /** A webhook that has one of them is told. */
  readonly chosenBy: readonly string[]
  /** As the header names it. */
  readonly event: string
  readonly action: string | null
  readonly payload: Fields
}

/** The words of a pull request's and a comment's change. */
export type PullAction = 'opened' | 'synchronized' | 'closed'
export type CommentAction = 'created' | 'edited' | 'deleted'

/** How a provider writes what the forge knows. */
export interface Shapes {
  account(world: World, account: Account): Fields
  owner(world: World, account: Account): Fields
  repository(world: World, repository: Repository): Fields
  branch(name: string, sha: string): Fields
  pull(world: World, repository: Repository, pull: PullRequest): Fields
  file(file: ChangedFile): Fields
  status(world: World, status: Status): Fields
  comment(world: World, repository: Repository, comment: Comment): Fields
  reaction(world: World, reaction: Reaction): Fields
  /** Undefined: the account is no member. */
  permission(world: World, repository: Repository, account: Account): Fields | undefined
  hook(world: World, hook: RepositoryHook): Fields
  delivery(delivery: Delivery): Fields
}

/** How a provider tells webhooks. */
export interface Tellings {
  push(world: World, repository: Repository, pushed: PushedRef, sender: Account): Told
  pull(
    world: World,
    repository: Repository,
    pull: PullRequest,
    changed: { readonly action: PullAction; readonly before: string | undefined },
  ): Told
  comment(world: World, repository: Repository, comment: Comment, action: CommentAction): Told
  /** The delivery that a person asks for in the settings. */
  test(world: World, repository: Repository): Told
  headers(
    letter: Letter,
    sending: { readonly guid: string; readonly body: Buffer; readonly at: number },
  ): Readonly<Record<string, string>>
}

/** All differences between the providers. */
export interface Dialect {
  readonly id: 'gitea' | 'forgejo' | 'gitlab'
  readonly api: string
  /** Null: the provider lacks it. */
  readonly operations: Readonly<Record<OperationName, Pick<Route, 'method' | 'path'> | null>>
  /** The name of the size of a page in a query, the usual size and the largest. */
  readonly paging: { readonly size: string; readonly usual: number; readonly most: number }
  pageHeaders(total: number, page: number, last: number): Readonly<Record<string, string>>
  /** The header that holds a token, beside `authorization`; null: none. */
  readonly tokenHeader: string | null
  admits(scopes: readonly string[], scope: Scope): boolean
  readonly unauthorized: Answer
  readonly notFound: Answer
  readonly forbidden: Answer
  lacksScope(scope: Scope): Answer
  wrong(sentence: string): Answer
  readonly states: readonly string[]
  /** Why a status is not taken after the latest one of its context; undefined: it is. */
  findStatusFault(latest: Status | undefined, wanted: Status): string | undefined
  readContext(body: Fields): string
  /** Undefined: the provider knows no such reaction. */
  readReaction(body: Fields): string | undefined
  readHook(body: Fields, before: RepositoryHook): Pick<RepositoryHook, 'url' | 'secret' | 'active' | 'events' | 'signs'>
  readonly shapes: Shapes
  readonly tellings: Tellings
}
