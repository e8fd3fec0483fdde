import type { Event } from '@signalbox/contracts/event'

/** Told as `source.deleted`, version 1, in the transaction that deletes. */
export interface SourceDeleted {
  readonly source_id: string
  readonly name: string
  readonly team_path: string
  /** The triggers match nothing from then on. */
  readonly triggers: readonly { readonly id: string; readonly name: string; readonly team_path: string }[]
}

/** Told in the transaction of the delivery of a comment that may hold a command, where the source takes commands. */
export const COMMENT_POSTED = { kind: 'comment.posted', version: 1 } as const

export interface CommentPosted {
  readonly source_id: string
  readonly delivery_record_id: string
  readonly event_id: string
  readonly received_at: string
  /** Without the words of the comment: what the provider shows later is what counts. */
  readonly event: Event
  /** Of the comment's words, as hexadecimal digits. */
  readonly body_sha256: string
  /** The first words of its lines that begin with a slash. */
  readonly words: readonly string[]
  readonly is_one_line: boolean
  /** Whether a trigger took the comment for itself. */
  readonly is_matched: boolean
}
