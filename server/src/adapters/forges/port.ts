import type { Event, EventPullRequest, Person, Provider } from '@signalbox/contracts/event'
import type { ForgeAnswer, ForgeConnection } from './answers.ts'
import type { ForgeApps } from './app-port.ts'
import type { ForgeDeliveries } from './deliveries-port.ts'
import type { PageMemory } from './page-memory.ts'
import type { ForgeChecks, ForgeComments } from './telling-port.ts'

export type { ForgeAnswer, ForgeConnection, ForgeFailure } from './answers.ts'
export type { PageMemory, RememberedPage } from './page-memory.ts'

/** Header names in lower case, as Node gives them. A header that was sent twice is an array or joined by a comma. */
export type WebhookHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The ways to prove a delivery's sender. `signature`: the provider's own HMAC over the raw body. `token`: a shared
 * token in the provider's header. `basic`: HTTP Basic authentication.
 */
export const AUTH_MODES = ['signature', 'token', 'basic'] as const

export type AuthMode = (typeof AUTH_MODES)[number]

export interface VerificationRequest {
  readonly headers: WebhookHeaders
  /** The bytes as they came, before any parser. */
  readonly rawBody: Buffer
  /** The live secrets of the source, one or, while one is rotated, two. Empty ones never verify anything. */
  readonly secrets: readonly Buffer[]
  readonly authMode: AuthMode
  /** When the delivery came: schemes that sign a time compare with it. */
  readonly receivedAt: Date
}

/**
 * `verified` names the secret that matched by its place in `secrets`. `missing`: the delivery carries nothing of this
 * mode to check. `mismatch`: it carries something that does not prove anything, whatever the reason. `detail` is a
 * sentence for the delivery's record: it never holds a secret or a digest.
 */
export type Verification =
  | { readonly outcome: 'verified'; readonly secretIndex: number; readonly detail: string }
  | { readonly outcome: 'missing' | 'mismatch'; readonly detail: string }

/**
 * The content of a verified delivery. `eventType` and `action` are the provider's own words (null where it gives none).
 *
 * - `events`: one or more changes, in the provider's order; one delivery of some providers holds several.
 * - `nothing_runnable`: understood, but no trigger can use it. `repository` (owner/name) where the delivery names one.
 * - `unreadable`: not a delivery of this provider: broken JSON, or a mapped event without its necessary parts.
 *
 * `reason` is a sentence about the fault, or about the setting to change at the provider.
 */
export type Reading =
  | {
      readonly kind: 'events'
      readonly eventType: string
      readonly action: string | null
      readonly events: readonly [Event, ...Event[]]
      /** A sentence for the delivery's trace. */
      readonly note?: string
    }
  | {
      readonly kind: 'nothing_runnable'
      readonly cause: 'ping' | 'unmapped'
      readonly eventType: string
      readonly action: string | null
      readonly repository: string | null
      readonly reason: string
    }
  | { readonly kind: 'unreadable'; readonly eventType: string | null; readonly reason: string }

/** The incoming half of a provider. Nothing here throws on what a delivery holds, reads a clock or keeps state. */
export interface ForgeWebhooks {
  /** The modes that the provider has; the first is the default. Any other is refused, never replaced by a weaker one. */
  readonly authModes: readonly [AuthMode, ...AuthMode[]]
  /**
   * After how many answers in a row that are no 2xx the provider pauses or disables a webhook by itself; null: it never
   * does.
   */
  readonly pausesAfter: number | null
  /** Headers that prove who sends, in lower case, of every auth mode. The values of these headers are never stored. */
  readonly credentialHeaders: readonly string[]
  /**
   * Credential headers of which `read` or `deliveryId` asks whether they came. A record keeps their names, with another
   * value, so that a stored delivery is read as it was when it came.
   */
  readonly notedHeaders: readonly string[]
  /**
   * Headers that verifying and reading look at, in lower case, beside those of the body's media type. A delivery that has
   * one of them twice is refused: two readers could choose differently.
   */
  readonly decisiveHeaders: readonly string[]
  /** A sentence that says why a secret can never verify anything in the mode, by its form; null: it may. */
  findSecretFault(authMode: AuthMode, secret: Buffer): string | null
  /** Constant in time over the digests. `verifyDelivery` calls it, with a mode of `authModes` only. */
  verify(request: VerificationRequest): Verification
  /** The provider's id of this delivery, the same when it is sent again; null where absent. Unverified data. */
  deliveryId(headers: WebhookHeaders, rawBody: Buffer): string | null
  /** The provider's name of the event, for the records of deliveries that are not read; null where absent. Unverified. */
  eventType(headers: WebhookHeaders, rawBody: Buffer): string | null
  /** Call it only with what `verify` accepted. */
  read(headers: WebhookHeaders, rawBody: Buffer): Reading
}

export interface ForgeBranch {
  readonly name: string
  readonly commitSha: string
}

/** A pull request as it is now. */
export interface ForgePullRequest {
  readonly headSha: string
  readonly headRef: string | null
  readonly baseRef: string | null
  /** True for a fork and whenever the origin is unknown. */
  readonly fromFork: boolean
  readonly open: boolean
}

/** A pull request in the list of open ones, told as its deliveries tell it. */
export interface ForgeOpenPull {
  /** A head without a whole name has `sha_prefix`, where the provider names only the beginning. */
  readonly pullRequest: EventPullRequest
  /** What its deliveries name as its ref. */
  readonly ref: string | null
  /** RFC 3339 in UTC; null: the provider does not say. */
  readonly updatedAt: string | null
}

/** The present permission of a person in a repository, groups and teams included. */
export interface ForgePermission {
  readonly mayWrite: boolean
  /** The provider's own word, such as `maintain`. */
  readonly role: string
}

/** The asking half of a provider's API. `repository` is the full name: owner/name, nested groups included. */
export interface ForgeRepositories {
  /**
   * In the provider's order, all pages, at most 10,000. `memory` is of this repository and credential: where the provider
   * knows conditional requests, pages that did not change cost no rate.
   */
  listBranches(
    connection: ForgeConnection,
    repository: string,
    memory?: PageMemory<ForgeBranch>,
  ): Promise<ForgeAnswer<readonly ForgeBranch[]>>
  /** The open ones, all pages, at most 100 pages; `failed` where the provider has no such API. */
  listOpenPulls(connection: ForgeConnection, repository: string): Promise<ForgeAnswer<readonly ForgeOpenPull[]>>
  /** `prefix`: how the wanted head begins, for a provider that names heads only in part. */
  findPullRequest(
    connection: ForgeConnection,
    repository: string,
    number: number,
    prefix?: string,
  ): Promise<ForgeAnswer<ForgePullRequest>>
  /**
   * Finds a person's permission in a repository; `not_found` where the provider knows no such person there. Null: it
   * has no API that tells so of every way by which somebody gets a permission.
   */
  readonly findPermission:
    | ((connection: ForgeConnection, repository: string, person: Person) => Promise<ForgeAnswer<ForgePermission>>)
    | null
}

export const STATUS_STATES = ['pending', 'running', 'success', 'failure', 'canceled'] as const
export type StatusState = (typeof STATUS_STATES)[number]

/** The text shown beside a commit at the provider. */
export interface CommitStatus {
  readonly repository: string
  readonly commitSha: string
  /** Full, such as refs/heads/main; null where unknown. Some providers file a status under it. */
  readonly ref: string | null
  readonly state: StatusState
  /** Names this status among others of the commit: the same context replaces. */
  readonly context: string
  /** One sentence; cut to what the provider takes. */
  readonly description: string
  /** Where a person reads more. */
  readonly targetUrl: string
}

/** The telling half. `found` means that the provider took it. */
export interface ForgeStatus {
  report(connection: ForgeConnection, status: CommitStatus): Promise<ForgeAnswer<null>>
}

/** The webhook that a repository is to have. */
export interface WantedHook {
  /** The full name. */
  readonly repository: string
  /** Where it sends to. */
  readonly url: string
  /** Whether a webhook that sends there is the source's, also under a former address of this server. */
  isOwn(url: string): boolean
  readonly authMode: AuthMode
  readonly secret: string
  /** The id of the webhook that is known to hold this secret: no provider shows it. Null: none is known to. */
  readonly holder: string | null
}

/**
 * `missing`: there is no webhook. `doubled`: several send to the source. `secret`: the webhook may not hold the right
 * one.
 */
export const HOOK_DIFFERENCES = [
  'missing',
  'doubled',
  'address',
  'disabled',
  'events',
  'content_type',
  'secret',
] as const
export type HookDifference = (typeof HOOK_DIFFERENCES)[number]

export interface FoundHook {
  /** Null: there is none. */
  readonly hookId: string | null
  readonly differences: readonly HookDifference[]
}

export interface PlacedHook {
  readonly hookId: string
  readonly done: 'created' | 'repaired' | 'unchanged'
  /** The repaired differences. */
  readonly differences: readonly HookDifference[]
}

export type HookTest = (
  connection: ForgeConnection,
  wanted: Pick<WantedHook, 'repository' | 'url'>,
  hookId: string,
) => Promise<ForgeAnswer<null>>

/** The half of a provider's API that makes webhooks of a repository. */
export interface ForgeHooks {
  /** The right that the credential needs, as the end of a sentence: "the scope admin:repo_hook". */
  readonly right: string
  find(connection: ForgeConnection, wanted: WantedHook): Promise<ForgeAnswer<FoundHook>>
  /** Creates the webhook, or repairs the existing one. Called again it changes nothing. */
  place(connection: ForgeConnection, wanted: WantedHook): Promise<ForgeAnswer<PlacedHook>>
  /** Removes all that send to the source, and answers how many. */
  remove(connection: ForgeConnection, wanted: Pick<WantedHook, 'repository' | 'isOwn'>): Promise<ForgeAnswer<number>>
  /** Has the provider send a delivery that starts nothing. Null: it cannot be asked for one. */
  readonly test: HookTest | null
}

/** One Git provider. */
export interface Forge {
  readonly id: Provider
  /** The name as the provider writes it. */
  readonly title: string
  /** The provider's only address, such as https://github.com; null where every installation has its own. */
  readonly publicUrl: string | null
  /**
   * The documented address to clone a repository from over http, for events without one. Null: no name below `baseUrl`,
   * which has no slash at its end. `repository` is the full name.
   */
  cloneUrl(baseUrl: string, repository: string): string | null
  readonly webhooks: ForgeWebhooks
  /** Null: it has no such API. */
  readonly repositories: ForgeRepositories | null
  readonly status: ForgeStatus | null
  readonly hooks: ForgeHooks | null
  /** Null: it knows no apps, and no connection by a token that stands in for one. */
  readonly apps: ForgeApps | null
  /** Null: it has no checks; its statuses tell of runs. */
  readonly checks: ForgeChecks | null
  /** Null: it has no comments that this service could write. */
  readonly comments: ForgeComments | null
  /** Null: it keeps no log of its deliveries that can be asked for. */
  readonly deliveries: ForgeDeliveries | null
}
