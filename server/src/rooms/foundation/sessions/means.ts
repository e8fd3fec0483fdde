import type { BrowserAccess } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { SignInMetrics } from './metrics.ts'
import type { Lifetime } from './rules.ts'

/** The doors that the room asks. */
export interface Asked {
  readonly audit: Audit
  readonly access: Access
}

/** For the actions of this room: the kit, the doors, and what follows from the configuration. */
export interface Means extends Kit, Asked {
  readonly browsers: BrowserAccess
  readonly lifetime: Lifetime
  readonly signIns: SignInMetrics
}
