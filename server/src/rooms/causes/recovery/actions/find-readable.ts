import { type Caller, requireVisible } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { CommandedSource } from '#rooms/causes/sources'
import type { Means } from '../means.ts'

/** A source whose deliveries the caller may read. Throws not_found (404). */
export async function getReadable(means: Means, caller: Caller, sourceId: string): Promise<CommandedSource> {
  const source = await means.sources.findCommanded(means.database.kysely, sourceId)
  return requireVisible(caller, 'delivery.read', source, () =>
    platformProblem('not_found', 'There is no source of this id.'),
  )
}
