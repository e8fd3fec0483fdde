import type { CacheAnswer, CacheInput, CacheLookup, CacheStored } from '@signalbox/contracts/artifacts'
import type { Tx } from '#platform/database'
import { artifactProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import type { TransferSubject } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { deleteObjects } from './delete-objects.ts'
import { findQuota } from './keep-quotas.ts'

/** The cache that a task finds under its key, or under the beginning of one. */
export async function findCache(means: Means, subject: TransferSubject, input: CacheLookup): Promise<CacheAnswer> {
  const { teamPath, namespace, alsoReads } = subject
  const { key, fallback } = input
  const wanted = { teamPath, namespaces: [namespace, ...alsoReads], key, fallback }
  const found = await store.useEntry(means.database.kysely, wanted, means.clock.now())
  if (!found) return { hit: null }
  const { id, key: foundKey, size, sha256 } = found.entry
  return { hit: { id, key: foundKey, exact: found.exact, size, sha256 } }
}

/**
 * Keeps a complete archive under a key. The first archive of a key stays, and the space of a second one is given back at
 * once; a repetition answers the same. Older caches go where the team would keep more than it may. A refusal is no error of
 * the task, because a cache only saves time.
 */
export async function keepCache(means: Means, subject: TransferSubject, input: CacheInput): Promise<CacheStored> {
  const { teamPath, namespace } = subject
  const { key, sha256 } = input
  return means.database.transaction(async (tx) => {
    await store.lockTeam(tx, teamPath)
    const blob = await store.lockComplete(tx, teamPath, sha256)
    const kept = await store.findKept(tx, { teamPath, namespace, key })
    if (kept?.sha256 === sha256) return { stored: true, reason: null }
    if (kept) return refuse(means, tx, { subject, blob }, 'The key is taken, and its archive stays.')
    if (!blob)
      throw artifactProblem('transfer.incomplete', 'The archive is not whole: send the parts that are missing.')
    const { cacheBytes } = await findQuota(means, tx, teamPath)
    if (blob.size > cacheBytes) {
      const reason = `The archive has ${blob.size} bytes, and ${teamPath} may keep ${cacheBytes} bytes of caches.`
      return refuse(means, tx, { subject, blob }, reason)
    }
    const at = means.clock.now()
    const content = { teamPath, namespace, key, blobId: blob.id, size: blob.size }
    await store.insertEntry(tx, { id: means.ids.next(), ...content, createdAt: at, usedAt: at })
    await store.useBlob(tx, blob.id, at)
    await store.dropBeyond(tx, teamPath, cacheBytes)
    return { stored: true, reason: null }
  })
}

/** The archive has no use and goes, unless another attempt has announced it. */
async function refuse(
  means: Means,
  tx: Tx,
  { subject, blob }: { readonly subject: TransferSubject; readonly blob: store.BlobRow | undefined },
  reason: string,
): Promise<CacheStored> {
  if (blob) await deleteObjects(means, tx, await store.takeAnnounced(tx, blob.id, subject.attemptId))
  return { stored: false, reason }
}
