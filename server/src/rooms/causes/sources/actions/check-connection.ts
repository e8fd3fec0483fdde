import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import type { VouchingSource } from '#rooms/causes/overrides'
import { orUnavailable } from '../errors.ts'
import type { Means } from '../means.ts'
import { matchContextOf, type Source } from '../rules/index.ts'
import * as store from '../store/sources.ts'

/**
 * Whether the caller may connect triggers to a source: who may see it, or anybody when it is shared. A token with limits
 * connects what its limits leave to see: a shared source would feed it repositories that it could not check out itself.
 */
export async function mayConnect(db: Queryable, caller: Caller, sourceId: string): Promise<boolean> {
  const source = await store.findSource(db, sourceId)
  if (!source) return false
  const isShared = source.visibility === 'shared' && !caller.token?.limits
  return isShared || caller.can('webhook_source.read', source.teamPath)
}

/** The enabled sources that admit a repository, and what each of them allows whom and reads. Throws the 503 of the ingress. */
export async function vouchFrom(means: Means): Promise<(repository: string) => readonly VouchingSource[]> {
  const book = await orUnavailable(means.ingress.book.get())
  const snapshot = await means.access.snapshot()
  return (repository) =>
    [...book.values()].flatMap((live) =>
      live.source.enabled && live.allows(repository) ? [vouching(live.source, snapshot)] : [],
    )
}

function vouching(source: Source, snapshot: Parameters<typeof matchContextOf>[1]): VouchingSource {
  return { ...matchContextOf(source, snapshot), manifestTeam: source.readRepository ? source.teamPath : undefined }
}
