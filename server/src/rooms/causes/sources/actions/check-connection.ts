import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import * as store from '../store/sources.ts'

/** Whether the caller may connect triggers to a source: who may see it, or anybody when it is shared. */
export async function mayConnect(db: Queryable, caller: Caller, sourceId: string): Promise<boolean> {
  const source = await store.findSource(db, sourceId)
  if (!source) return false
  return source.visibility === 'shared' || caller.can('webhook_source.read', source.teamPath)
}
