import type { Event, Provider } from '@signalbox/contracts/event'

/** Header names in lower case, as Node gives them. A header that was sent twice is an array or joined by a comma. */
export type WebhookHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * How a delivery proves where it comes from: `signature` is the provider's own HMAC over the raw body, `token` a shared
 * token in the provider's header, `basic` HTTP Basic authentication.
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
 * What a verified delivery says. `eventType` and `action` are the provider's own words (null where it gives none).
 *
 * - `events`: one or more changes, in the provider's order; one delivery of some providers holds several.
 * - `nothing_runnable`: understood, but no trigger can use it. `repository` (owner/name) where the delivery names one.
 * - `unreadable`: not a delivery of this provider: broken JSON, or a mapped event without its necessary parts.
 *
 * `reason` is a sentence that tells the reader what was wrong or what to set at the provider.
 */
export type Reading =
  | {
      readonly kind: 'events'
      readonly eventType: string
      readonly action: string | null
      readonly events: readonly [Event, ...Event[]]
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
  /** Constant in time over the digests. A mode that is not in `authModes` is a mismatch. */
  verify(request: VerificationRequest): Verification
  /** The provider's id of this delivery, the same when it is sent again; null where absent. Unverified data. */
  deliveryId(headers: WebhookHeaders, rawBody: Buffer): string | null
  /** The provider's name of the event, for the records of deliveries that are not read; null where absent. Unverified. */
  eventType(headers: WebhookHeaders, rawBody: Buffer): string | null
  /** Call it only with what `verify` accepted. */
  read(headers: WebhookHeaders, rawBody: Buffer): Reading
}

/** One Git provider. */
export interface Forge {
  readonly id: Provider
  /** The name as the provider writes it. */
  readonly title: string
  readonly webhooks: ForgeWebhooks
}
