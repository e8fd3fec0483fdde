import { sha256 } from '#platform/crypto'
import type { Statement } from '#platform/database'
import type { Kit } from '#platform/room'
import { toWireTime } from '#platform/time'
import type { EventPlan } from '#rooms/causes/events'
import { COMMENT_POSTED, type CommentPosted } from '../facts.ts'
import { slashWordsOf } from '../rules/index.ts'
import type { DeliveryEntry } from './delivery-entry.ts'

/** Tells of comments that may hold a command, in the transaction of their deliveries; most groups have none. */
export function tellingComments(kit: Kit, entries: readonly DeliveryEntry[]): readonly Statement[] {
  const posted = entries.flatMap((entry) => (entry.takesCommands ? entry.plans.flatMap(postedOf) : []))
  return posted.length === 0 ? [] : kit.facts.telling(COMMENT_POSTED.kind, COMMENT_POSTED.version, posted)
}

type PostedPlan = Pick<EventPlan, 'event' | 'sourceId' | 'deliveryRecordId' | 'eventId' | 'receivedAt' | 'pending'> & {
  readonly trace: { readonly triggers: readonly { readonly matched: boolean }[] }
}

/** An edited comment, and one on a line of a file, holds no command. */
export function postedOf(plan: PostedPlan): readonly CommentPosted[] {
  const { event, sourceId, deliveryRecordId } = plan
  const { comment } = event
  if (event.kind !== 'pull_request_comment' || event.action !== 'created' || !comment || comment.id === null) return []
  if (comment.path !== null || sourceId === null || deliveryRecordId === null) return []
  const words = slashWordsOf(comment.body)
  if (words.length === 0) return []
  return [
    {
      source_id: sourceId,
      delivery_record_id: deliveryRecordId,
      event_id: plan.eventId,
      received_at: toWireTime(plan.receivedAt),
      event: { ...event, comment: { ...comment, body: '' } },
      body_sha256: sha256(comment.body).toString('hex'),
      words,
      is_one_line: !/[\r\n]/.test(comment.body.trim()),
      // What the repository's manifest takes is known later.
      is_matched: plan.pending !== null || plan.trace.triggers.some(({ matched }) => matched),
    },
  ]
}
