import type { CacheAnswer, CacheInput, CacheLookup, CacheStored } from '@signalbox/contracts/artifacts'
import type { Tx } from '#platform/database'
import type { Kit } from '#platform/room'
import { artifactProblem } from '../errors.ts'
import type { TransferSubject } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { deleteObjects } from './delete-objects.ts'
import { findQuota, type QuotaNeeds } from './keep-quotas.ts'

/** What a task finds under its key, or under the beginning of one. */
export async function findCache(kit: Kit, subject: TransferSubject, input: CacheLookup): Promise<CacheAnswer> {
  const { teamPath, namespace, alsoReads } = subject
  const { key, fallback } = input
  const wanted = { teamPath, namespaces: [namespace, ...alsoReads], key, fallback }
  const found = await store.useEntry(kit.database.kysely, wanted, kit.clock.now())
  if (!found) return { hit: null }
  const { id, key: foundKey, size, sha256 } = found.entry
  return { hit: { id, key: foundKey, exact: found.exact, size, sha256 } }
}

/**
 * Keeps an archive that was sent whole under a key. The first one stays, and the space of this one is given back at once;
 * the same again answers the same. Older ones go where the team would keep more than it may. Never an error for the task: a
 * cache only saves time.
 */
export async function keepCache(
  kit: Kit,
  needs: QuotaNeeds,
  subject: TransferSubject,
  input: CacheInput,
): Promise<CacheStored> {
  const { teamPath, namespace } = subject
  const { key, sha256 } = input
  return kit.database.transaction(async (tx) => {
    await store.lockTeam(tx, teamPath)
    const blob = await store.lockComplete(tx, teamPath, sha256)
    const kept = await store.findKept(tx, { teamPath, namespace, key })
    if (kept?.sha256 === sha256) return { stored: true, reason: null }
    if (kept) return refuse(kit, tx, subject, blob, 'The key is taken: what lies under it stays.')
    if (!blob)
      throw artifactProblem('transfer.incomplete', 'The archive is not whole: send the parts that are missing.')
    const { cacheBytes } = await findQuota(kit, needs, tx, teamPath)
    if (blob.size > cacheBytes) {
      const reason = `It has ${blob.size} bytes, and ${teamPath} may keep ${cacheBytes} bytes of caches.`
      return refuse(kit, tx, subject, blob, reason)
    }
    const at = kit.clock.now()
    const entry = { id: kit.ids.next(), teamPath, namespace, key, blobId: blob.id, size: blob.size }
    await store.insertEntry(tx, { ...entry, at })
    await store.useBlob(tx, blob.id, at)
    await store.dropBeyond(tx, teamPath, cacheBytes)
    return { stored: true, reason: null }
  })
}

/** Nobody can use what was sent: unless another attempt may be about to, it goes, and counts no more. */
async function refuse(
  kit: Kit,
  tx: Tx,
  { attemptId }: TransferSubject,
  blob: store.BlobRow | undefined,
  reason: string,
): Promise<CacheStored> {
  if (blob) await deleteObjects(kit, tx, await store.takeAnnounced(tx, blob.id, attemptId))
  return { stored: false, reason }
}
