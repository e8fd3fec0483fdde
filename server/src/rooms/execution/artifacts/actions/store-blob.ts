import { createHash } from 'node:crypto'
import type { BlobAnswer, BlobInput } from '@signalbox/contracts/artifacts'
import { platformProblem } from '#platform/problems'
import { artifactProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { missingParts, PART_SIZE, partKey, partSize, type TransferSubject, UNUSED_MS } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { deleteObjects } from './delete-objects.ts'
import { requireSpaceFor } from './keep-quotas.ts'
import { whenStored } from './object-port.ts'

/**
 * Begins, or goes on with, sending an archive: answers which parts are missing. From now on it counts against the quota, so
 * `artifact.quota_exceeded` and `cache.quota_exceeded` (413) are thrown before anything is sent.
 */
export async function openBlob(means: Means, subject: TransferSubject, input: BlobInput): Promise<BlobAnswer> {
  const { teamPath, attemptId } = subject
  const blob = await means.database.transaction(async (tx) => {
    // Two archives that are announced at once do not count on the same space.
    await store.lockTeam(tx, teamPath)
    await requireSpaceFor(means, tx, teamPath, input)
    const { sha256, size, for: purpose } = input
    const announced = { id: means.ids.next(), teamPath, sha256, size, purpose, attemptId, at: means.clock.now() }
    return store.openBlob(tx, announced)
  })
  const complete = blob.completedAt !== null
  const missing = complete ? [] : missingOf(blob, await store.listParts(means.database.kysely, blob.id))
  return { id: blob.id, part_size: PART_SIZE, missing, complete }
}

function missingOf(blob: store.BlobRow, parts: readonly store.PartRow[]): number[] {
  return missingParts(
    blob.size,
    parts.map((part) => part.number),
  )
}

/**
 * Stores one part; of a complete archive none is taken any more, which is no error: somebody else may have sent the same.
 * Answers once the part is durable.
 */
export async function storePart(
  means: Means,
  subject: TransferSubject,
  place: { readonly id: string; readonly number: number },
  bytes: Buffer,
): Promise<void> {
  const { number } = place
  const blob = await findOwn(means, subject, place.id)
  const wanted = partSize(blob.size, number)
  if (wanted === 0 || bytes.length !== wanted) {
    const detail = `Part ${number} of an archive of ${blob.size} bytes has ${wanted} bytes, not ${bytes.length}.`
    throw artifactProblem('transfer.part_invalid', detail)
  }
  if (blob.completedAt !== null) return
  const object = partKey(blob.id, number, means.ids.next())
  // Written down first, so that neither a crash nor a lost answer of the store leaves an object for good.
  await store.expectObject(means.database.kysely, object, new Date(means.clock.now().getTime() + UNUSED_MS))
  await whenStored(means.objects.put(object, bytes))
  means.failPoints.hit('artifacts.part_stored')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const inTime = await means.database.transaction(async (tx) => {
    // The archive may have become complete while this part was on its way; then it stays as it was read back.
    const open = await store.lockIncomplete(tx, blob.id)
    const settled = await store.settleObject(tx, object)
    const part = { blobId: blob.id, number, size: bytes.length, sha256, object }
    const unnamed = open && settled ? await store.recordPart(tx, part, means.clock.now()) : object
    if (unnamed !== undefined) await deleteObjects(means, tx, [unnamed])
    return settled
  })
  if (!inTime) throw artifactProblem('storage.unavailable', 'The object store took too long: send the part again.')
}

/**
 * Ends sending: reads what is stored and holds it against the digest. Throws `transfer.incomplete` (409), or
 * `transfer.digest_differs` (409), after which all parts are missing again.
 */
export async function completeBlob(means: Means, subject: TransferSubject, id: string): Promise<void> {
  const blob = await findOwn(means, subject, id)
  if (blob.completedAt !== null) return
  const { completing } = means
  const under = completing.get(id) ?? checkWhole(means, blob).finally(() => completing.delete(id))
  completing.set(id, under)
  await under
}

async function checkWhole(means: Means, blob: store.BlobRow): Promise<void> {
  const { id } = blob
  const parts = await store.listParts(means.database.kysely, id)
  const missing = missingOf(blob, parts)
  if (missing.length > 0) {
    throw artifactProblem('transfer.incomplete', `${missing.length} parts are missing, the first is ${missing[0]}.`)
  }
  const whole = createHash('sha256')
  for (const { object } of parts) {
    const bytes = await whenStored(means.objects.get(object))
    // Of an object that is gone nothing is hashed: the digest differs then, and all is sent again.
    if (bytes) whole.update(bytes)
  }
  const isSame = whole.digest('hex') === blob.sha256
  const problem = await means.database.transaction(async (tx) => {
    if (!(await store.lockIncomplete(tx, id))) return undefined
    const now = await store.listParts(tx, id)
    if (now.length !== parts.length || now.some(({ object }, at) => object !== parts[at]?.object)) {
      return 'Parts were sent again meanwhile: ask again.'
    }
    if (isSame) return store.completeBlob(tx, id, means.clock.now())
    await deleteObjects(means, tx, await store.forgetParts(tx, id))
    return 'The stored bytes have another digest: send all parts again.'
  })
  if (problem !== undefined) throw artifactProblem('transfer.digest_differs', problem)
}

async function findOwn(means: Means, subject: TransferSubject, id: string): Promise<store.BlobRow> {
  const blob = await store.findBlob(means.database.kysely, id)
  if (blob?.teamPath === subject.teamPath) return blob
  throw platformProblem('not_found', 'There is no such archive.')
}
