import type { DeliveryVerification, Forge, VerificationRequest, WebhookHeaders } from '#adapters/forges'
import type { Kit } from '#platform/room'
import type { GitApps } from '#rooms/catalog/git-apps'
import type { Events } from '#rooms/causes/events'
import type { Overrides } from '#rooms/causes/overrides'
import type { Triggers } from '#rooms/causes/triggers'
import type { Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Secrets } from '#rooms/foundation/secrets'
import type { Teams } from '#rooms/foundation/teams'
import type { PermissionMemory } from './actions/ask-permissions.ts'
import type { AboveHealth, AboveSources } from './ingress/above-sources.ts'
import type { Ingress } from './ingress/ingress.ts'

/** The providers that house.ts hands in. */
export interface Forges {
  readonly ids: readonly string[]
  find(provider: string): Forge | undefined
  /** Verifies and reads a delivery. */
  verifyDelivery(forge: Forge, request: VerificationRequest): DeliveryVerification | Promise<DeliveryVerification>
  /** Bodies of this size and above take long to verify. */
  readonly largeBytes: number
  /** The first header that decides something for the forge and came twice. */
  findRepeatedHeader(forge: Forge, rawHeaders: readonly string[], headers: WebhookHeaders): string | undefined
  /** Headers as they are kept with a payload, less credentials. */
  keepHeaders(headers: WebhookHeaders): Readonly<Record<string, string>>
  /** A kept body as it is shown: its text where it is nothing that could be written out again. */
  readStored(text: string): unknown
}

/** The parts that house.ts hands in. */
export interface Asked {
  readonly above: AboveSources & AboveHealth
  readonly audit: Audit
  readonly teams: Teams
  readonly secrets: Secrets
  readonly gitApps: GitApps
  readonly overrides: Overrides
  readonly access: Access
  readonly triggers: Triggers
  readonly events: Events
  readonly runs: Runs
  readonly forges: Forges
  /** Called after a commit that queued runs, so that they need not wait for a poll. */
  readonly onRunsQueued: () => void
}

/** The means of this room's actions: the kit, the doors that the room asks, the ingress, and its memory. */
export interface Means extends Kit, Asked {
  readonly ingress: Ingress
  /** The permissions that providers told. */
  readonly permissions: PermissionMemory
}
