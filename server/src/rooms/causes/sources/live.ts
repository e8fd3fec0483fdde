import type { Caller } from '#platform/http'
import { type LiveTopic, readTold } from '#platform/live'
import type { Means } from './means.ts'
import { findSource } from './store/sources.ts'

/** `deliveries:<source id>` hears of deliveries of a source, and of what became of them later. */
export function sourceTopics({ database, ingress }: Means): LiveTopic[] {
  return [
    {
      kind: 'deliveries',
      of: 'id',
      channels: ['delivery_changed'],
      isByPermissions: true,
      async mayFollow(caller, name) {
        const source = await findSource(database.kysely, name)
        return mayRead(caller, source?.teamPath ?? '/') && source !== undefined
      },
      async read(payloads) {
        const book = await ingress.book.get()
        return payloads.map((payload) => {
          const { change, place, id } = readTold(payload)
          const teamPath = book.get(place)?.source.teamPath
          const isFor = (viewer: Caller): boolean => teamPath !== undefined && mayRead(viewer, teamPath)
          return { id, change, names: [place], isFor }
        })
      },
    },
  ]
}

function mayRead(caller: Caller, teamPath: string): boolean {
  const seesSource = caller.can('webhook_source.read', teamPath)
  return caller.can('delivery.read', teamPath) && seesSource
}
