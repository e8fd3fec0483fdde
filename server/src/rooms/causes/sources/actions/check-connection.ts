import { compilePatterns } from '@signalbox/pipeline/patterns'
import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import * as store from '../store/sources.ts'

/** Whether the caller may connect triggers to a source: who may see it, or anybody when it is shared. */
export async function mayConnect(db: Queryable, caller: Caller, sourceId: string): Promise<boolean> {
  const source = await store.findSource(db, sourceId)
  if (!source) return false
  return source.visibility === 'shared' || caller.can('webhook_source.read', source.teamPath)
}

/**
 * Whether the caller may say what the events of a repository start: who may change one of the sources that admit it, or
 * anybody where none does.
 */
export async function mayOverride(db: Queryable, caller: Caller, repository: string): Promise<boolean> {
  const admitting = (await store.listAllSources(db)).filter((source) =>
    compilePatterns(source.repositoryAllowlist, { caseInsensitive: true }).matches(repository),
  )
  return admitting.length === 0 || admitting.some((source) => caller.can('webhook_source.write', source.teamPath))
}
