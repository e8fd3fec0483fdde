import type { OpenIdProvider } from '#adapters/openid'
import type { SignInProvider } from '#platform/config'
import type { BrowserAccess, RateLimiter } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Sessions } from '#rooms/foundation/sessions'

/** What the house hands in. */
export interface Asked {
  readonly audit: Audit
  readonly access: Access
  readonly sessions: Sessions
  /** The protocol, by the id of the provider. */
  readonly openId: ReadonlyMap<string, OpenIdProvider>
}

/** For the actions of this room: the kit, the doors, and what follows from the configuration. */
export interface Means extends Kit, Asked {
  readonly providers: ReadonlyMap<string, SignInProvider>
  readonly browsers: BrowserAccess
  /** Where the page is, without a slash at the end. */
  readonly pages: string
  /** Where the API is, without a slash at the end. */
  readonly api: string
  /** Of ways to a provider and back, by address. */
  readonly rate: RateLimiter
}
