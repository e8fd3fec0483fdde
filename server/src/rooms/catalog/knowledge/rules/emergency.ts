import type { Principal } from '@signalbox/contracts/http'

/** While an emergency is active, nothing begins in the scopes that its pattern matches, and runs there are canceled. */
export interface Emergency {
  readonly id: string
  readonly scope: string
  /** The team that the pattern lies under, '/' for the platform. */
  readonly teamPath: string
  readonly reason: string
  readonly declaredBy: Principal
  readonly declaredAt: Date
  /** Null: it is active. */
  readonly liftedBy: Principal | null
  readonly liftedAt: Date | null
  readonly liftReason: string | null
}
