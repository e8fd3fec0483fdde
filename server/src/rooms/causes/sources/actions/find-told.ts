import type { Queryable } from '#platform/database'
import type { Means } from '../means.ts'
import { addressOf, isReachable, type Source } from '../rules/index.ts'
import type { ToldSource } from '../rules/told-source.ts'
import { findSourceId } from '../store/deliveries.ts'
import { findSource } from '../store/sources.ts'

export type { ToldSource }

export function toldOf(means: Pick<Means, 'config' | 'forges'>, source: Source): ToldSource {
  const { id, name, provider, teamPath, reportStatus, checkoutCredentialRef } = source
  const forge = means.forges.find(provider)
  const baseUrl = forge && addressOf(source, forge, means.config.providerHosts)
  const origin = baseUrl === undefined ? undefined : new URL(baseUrl).origin
  return {
    id,
    name,
    provider,
    teamPath,
    reportStatus,
    checkoutCredentialRef,
    baseUrl,
    owns: (cloneUrl) => isReachable(origin, cloneUrl),
  }
}

export async function findTold(means: Means, db: Queryable, sourceId: string): Promise<ToldSource | undefined> {
  const source = await findSource(db, sourceId)
  return source && toldOf(means, source)
}

export async function findToldOf(
  means: Means,
  db: Queryable,
  deliveryRecordId: string,
): Promise<ToldSource | undefined> {
  const sourceId = await findSourceId(db, deliveryRecordId)
  return sourceId === undefined ? undefined : await findTold(means, db, sourceId)
}

/** False only where the copy of the sources is known to be true. */
export function mayReport({ ingress: { book } }: Means): boolean {
  const sources = book.now()
  if (sources) return sources.values().some(({ source }) => source.reportStatus)
  // The copy may be readable at the next call.
  void book.get().catch(() => undefined)
  return true
}
