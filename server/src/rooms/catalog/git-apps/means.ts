import type { Forge } from '#adapters/forges'
import type { Tx } from '#platform/database'
import type { BrowserAccess, RateLimiter, RequestOrigin } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Secrets } from '#rooms/foundation/secrets'
import type { Sessions } from '#rooms/foundation/sessions'
import type { Teams } from '#rooms/foundation/teams'
import type { GitAppMetrics } from './metrics.ts'
import type { TokenCache } from './tokens/token-cache.ts'

/** The providers that house.ts hands in. */
export interface Forges {
  readonly ids: readonly string[]
  find(provider: string): Forge | undefined
}

/** The source that takes the deliveries of an app. */
export interface AppSource {
  /** Allotted at the start of the registration: the provider was told the address with it. */
  readonly id: string
  readonly name: string
  readonly provider: string
  /** Null: the provider's only address. */
  readonly baseUrl: string | null
  readonly teamPath: string
  readonly repositoryAllowlist: readonly string[]
}

/** The part of rooms above this one. */
export interface AboveGitApps {
  /** Makes the source of an app, in the transaction that stores the app. */
  createAppSource(tx: Tx, origin: RequestOrigin, source: AppSource): Promise<void>
}

/** What the house hands in. */
export interface Asked {
  readonly audit: Audit
  readonly teams: Teams
  readonly secrets: Secrets
  readonly access: Access
  readonly sessions: Pick<Sessions, 'authenticator'>
  readonly forges: Forges
  readonly above: AboveGitApps
  /** The addresses behind the name of a host; none: nobody here knows the name. Left out: the system is asked. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>
}

/** For the actions of this room: the kit, the doors that the room asks, and its memory. */
export interface Means extends Kit, Asked {
  readonly tokens: TokenCache
  readonly gitAppMetrics: GitAppMetrics
  readonly browsers: BrowserAccess
  /** Where the page is, without a slash at the end. */
  readonly pages: string
  /** Of ways back from providers, by address. */
  readonly rate: RateLimiter
  readonly resolve: NonNullable<Asked['resolve']>
}
