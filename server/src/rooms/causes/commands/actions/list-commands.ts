import type { CommandQuery, CommentCommand } from '@signalbox/contracts/commands'
import { type Caller, type Page, pageOf, requireVisible, toWire } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'

/** Of a source whose deliveries the caller may read. Throws not_found (404). */
export async function listCommands(
  means: Means,
  caller: Caller,
  { source_id: sourceId, repository, ...query }: CommandQuery,
): Promise<Page<store.ListedCommand>> {
  const db = means.database.kysely
  requireVisible(caller, 'delivery.read', await means.sources.findCommanded(db, sourceId), () =>
    platformProblem('not_found', `There is no source ${sourceId} whose deliveries you may see.`),
  )
  return await pageOf(query, (window) => store.listCommands(db, { sourceId, repository, ...window }))
}

export function presentCommand({ subjectName, deliveryRecordId, ...row }: store.ListedCommand): CommentCommand {
  return { ...toWire(row), run_ids: [...row.runIds], acted_as: subjectName, delivery_id: deliveryRecordId }
}
