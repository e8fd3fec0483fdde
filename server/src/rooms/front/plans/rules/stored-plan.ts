import type { Finding } from '@signalbox/contracts/http'
import type { PlanStatus } from '@signalbox/contracts/plans'

/** The permission and the place that a write asked for; of an environment, its scope. */
export type Held = readonly [permission: string, place: string]

export interface PlanPrincipal {
  readonly kind: 'user' | 'service_account' | 'bootstrap'
  readonly id: string
  readonly name: string
}

/** The credential that planned: it alone confirms. Both null: the bootstrap token. */
export interface Credential {
  readonly tokenId: string | null
  readonly sessionId: string | null
}

export interface WrittenResource {
  readonly kind: string
  readonly id: string
}

export interface StoredPlan extends Credential {
  readonly id: string
  readonly action: string
  readonly target: string
  readonly sealedArguments: Uint8Array
  readonly effects: readonly Finding[]
  readonly preconditions: readonly { readonly name: string; readonly value: string }[]
  readonly scopes: readonly string[]
  /** Teams all of whose scopes may be reached. */
  readonly teams: readonly string[]
  readonly permission: string
  readonly teamPath: string
  readonly held: readonly Held[]
  readonly confirmation: 'agent' | 'person'
  readonly confirmationReason: string | null
  /** The protected scope that the reason names. */
  readonly confirmationPlace: string | null
  readonly status: Exclude<PlanStatus, 'expired'>
  readonly planner: PlanPrincipal
  readonly decider: PlanPrincipal | null
  readonly refusal: string | null
  readonly replacedBy: string | null
  readonly resources: readonly WrittenResource[] | null
  readonly sealedOutcome: Uint8Array | null
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly endedAt: Date | null
}

/** Ten minutes: what a plan shows is old by then. */
export const PLAN_MS = 10 * 60_000
/** A person has to be found first. What the plan counts on is compared in any case, however old it is. */
export const PERSON_MS = 60 * 60_000
/** Of one account. */
export const MOST_OPEN = 100
export const KEPT_MS = 30 * 24 * 60 * 60_000

export function isOpen(plan: Pick<StoredPlan, 'status' | 'expiresAt'>, now: Date): boolean {
  return statusAt(plan, now) === 'waiting' || statusAt(plan, now) === 'waiting_for_person'
}

/** What waits has expired once its time is over; nobody has to write that down. */
export function statusAt({ status, expiresAt }: Pick<StoredPlan, 'status' | 'expiresAt'>, now: Date): PlanStatus {
  const waits = status === 'waiting' || status === 'waiting_for_person'
  return waits && expiresAt <= now ? 'expired' : status
}
