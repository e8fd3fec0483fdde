import { createHash } from 'node:crypto'
import type { BlobAnswer, BlobInput } from '@signalbox/contracts/artifacts'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { artifactProblem } from '../errors.ts'
import { missingParts, PART_SIZE, partKey, partSize, type TransferSubject } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { type QuotaNeeds, requireRoom } from './keep-quotas.ts'
import { type ObjectPort, whenStored } from './object-port.ts'

export interface BlobNeeds extends QuotaNeeds {
  readonly objects: ObjectPort
}

/**
 * Begins, or goes on with, sending an archive: answers which parts are missing. Throws `artifact.quota_exceeded` (413)
 * before anything is sent.
 */
export async function openBlob(
  kit: Kit,
  needs: BlobNeeds,
  subject: TransferSubject,
  input: BlobInput,
): Promise<BlobAnswer> {
  const db = kit.database.kysely
  if (input.for === 'artifact') await requireRoom(kit, needs, db, subject.teamPath, input.size)
  const { teamPath } = subject
  const wanted = { id: kit.ids.next(), teamPath, sha256: input.sha256, size: input.size, at: kit.clock.now() }
  const blob = await store.openBlob(db, wanted)
  if (blob.size !== input.size) {
    throw artifactProblem('transfer.digest_differs', `An archive of this digest has ${blob.size} bytes.`)
  }
  const complete = blob.completedAt !== null
  const parts = complete ? [] : await store.listParts(db, blob.id)
  const missing = complete
    ? []
    : missingParts(
        blob.size,
        parts.map((part) => part.number),
      )
  return { id: blob.id, part_size: PART_SIZE, missing, complete }
}

/** Stores one part; again the same changes nothing. Answers once the part is durable. */
export async function storePart(
  kit: Kit,
  needs: BlobNeeds,
  subject: TransferSubject,
  place: { readonly id: string; readonly number: number },
  bytes: Buffer,
): Promise<void> {
  const db = kit.database.kysely
  const blob = await findOwn(kit, subject, place.id)
  const wanted = partSize(blob.size, place.number)
  if (wanted === 0 || bytes.length !== wanted) {
    const detail = `Part ${place.number} of an archive of ${blob.size} bytes has ${wanted} bytes, not ${bytes.length}.`
    throw artifactProblem('transfer.part_invalid', detail)
  }
  if (blob.completedAt !== null) return
  await whenStored(needs.objects.put(partKey(blob.id, place.number), bytes))
  kit.failPoints.hit('artifacts.part_stored')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const part = { blobId: blob.id, number: place.number, size: bytes.length, sha256 }
  await store.recordPart(db, part, kit.clock.now())
}

/**
 * Ends sending: reads what is stored and holds it against the digest. Throws `transfer.incomplete` (409), or
 * `transfer.digest_differs` (409), after which all parts are missing again.
 */
export async function completeBlob(kit: Kit, needs: BlobNeeds, subject: TransferSubject, id: string): Promise<void> {
  const db = kit.database.kysely
  const blob = await findOwn(kit, subject, id)
  if (blob.completedAt !== null) return
  const parts = await store.listParts(db, id)
  const missing = missingParts(
    blob.size,
    parts.map((part) => part.number),
  )
  if (missing.length > 0) {
    throw artifactProblem('transfer.incomplete', `${missing.length} parts are missing, the first is ${missing[0]}.`)
  }
  const whole = createHash('sha256')
  for (const { number } of parts) {
    const bytes = await whenStored(needs.objects.get(partKey(id, number)))
    // Of an object that is gone nothing is hashed: the digest differs then, and all is sent again.
    if (bytes) whole.update(bytes)
  }
  if (whole.digest('hex') !== blob.sha256) {
    await store.forgetParts(db, id)
    throw artifactProblem('transfer.digest_differs', 'The stored bytes have another digest: send all parts again.')
  }
  await store.completeBlob(db, id, kit.clock.now())
}

async function findOwn(kit: Kit, subject: TransferSubject, id: string): Promise<store.BlobRow> {
  const blob = await store.findBlob(kit.database.kysely, id)
  if (blob?.teamPath === subject.teamPath) return blob
  throw platformProblem('not_found', 'There is no such archive.')
}
