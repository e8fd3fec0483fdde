import type { Reaction } from '#platform/facts'
import type { Means } from './means.ts'
import * as store from './store/index.ts'

export function recoveryReactions(means: Means): Reaction[] {
  return [
    {
      fact: 'source.deleted',
      name: 'recovery.forget-source',
      async react({ payload }) {
        const id =
          typeof payload === 'object' && payload !== null && 'source_id' in payload ? payload.source_id : undefined
        if (typeof id !== 'string') return
        await store.dropOfSource(means.database.kysely, id)
        await means.events.changes.forget(means.database.kysely, id)
      },
    },
  ]
}
