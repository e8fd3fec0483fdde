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
 * The differences between Gitea and its relatives; the readers of this folder serve them all. Each of them also sends
 * headers of the others and of GitHub: only the headers named here count. Header names are in lower case.
 */
export interface Dialect {
  readonly id: Provider
  readonly title: string
  /** The first of these headers that a delivery carries decides, be it right or wrong. */
  readonly signatures: readonly [AcceptedSignature, ...AcceptedSignature[]]
  /** Headers of the delivery's id; the first header with an id counts. */
  readonly deliveryIds: readonly string[]
  /** Headers of the event's type, likewise: what the readers are chosen by, then what stands in where that one is empty. */
  readonly eventTypes: readonly [SignatureHeader, ...SignatureHeader[]]
  readonly notices: NoticeKinds
  /** Titles that begin so, in any case of letters, are drafts where the payload has no word for them. */
  readonly draftPrefixes: readonly string[]
  readPullRequestEnds(pullRequest: JsonObject, number: number): PullRequestEnds
}
