import { Event } from '@signalbox/contracts/event'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Reaction } from '#platform/facts'
import { hearComment } from './actions/hear-comment.ts'
import type { Means } from './means.ts'
import * as store from './store/index.ts'

const checkPosted = Compile(
  Type.Object({
    source_id: Type.String(),
    delivery_record_id: Type.String(),
    event_id: Type.String(),
    received_at: Type.String(),
    event: Event,
    body_sha256: Type.String(),
    words: Type.Array(Type.String()),
    is_one_line: Type.Boolean(),
    is_matched: Type.Boolean(),
  }),
)

const BATCH = 1000

/** A second call finds the comment heard, and the commands of a deleted source gone. */
export function commandReactions(means: Means): Reaction[] {
  return [
    {
      fact: 'comment.posted',
      name: 'commands.hear',
      async react({ payload }) {
        if (checkPosted.Check(payload)) await hearComment(means, payload)
      },
    },
    {
      fact: 'source.deleted',
      name: 'commands.forget-source',
      async react({ payload }) {
        const id =
          typeof payload === 'object' && payload !== null && 'source_id' in payload ? payload.source_id : undefined
        if (typeof id !== 'string') return
        while ((await store.dropCommandsOf(means.database.kysely, id, BATCH)) === BATCH);
      },
    },
  ]
}
