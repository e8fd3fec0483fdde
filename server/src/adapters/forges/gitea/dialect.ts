import type { Provider } from '@signalbox/contracts/event'
import type { SignatureHeader } from '../hmac-signature.ts'
import type { JsonObject } from '../json-object.ts'
import type { PullRequestEnds } from '../reading.ts'
import type { NoticeKinds } from '../ref-notice.ts'

/** A header that holds a signature, with `sha256=` before its digits or without. */
export interface AcceptedSignature extends SignatureHeader {
  readonly prefixed: boolean
}

/**
 * What Gitea and its relatives do differently; all the rest they do alike, and the readers of this folder serve them all.
 * They also send each other's headers and GitHub's: only those named here count. Header names are in lower case.
 */
export interface Dialect {
  readonly id: Provider
  readonly title: string
  /** In their order: the first one that a delivery carries decides, be it right or wrong. */
  readonly signatures: readonly [AcceptedSignature, ...AcceptedSignature[]]
  /** Headers of the delivery's id, the first one that holds one counts. */
  readonly deliveryIds: readonly string[]
  /** Headers of the event's type, likewise: what the readers are chosen by, then what stands in where that one is empty. */
  readonly eventTypes: readonly [SignatureHeader, ...SignatureHeader[]]
  readonly notices: NoticeKinds
  /** Titles that begin so, in any case of letters, are drafts where the payload has no word for them. */
  readonly draftPrefixes: readonly string[]
  readPullRequestEnds(pullRequest: JsonObject, number: number): PullRequestEnds
}
