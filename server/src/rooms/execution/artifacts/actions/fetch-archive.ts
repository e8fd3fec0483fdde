import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import type { TransferSubject } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** The bytes to send. */
export interface Archive {
  readonly id: string
  readonly size: number
  readonly sha256: string
}

/** An artifact of the attempt's own run. 404 for any other. */
export async function findArchiveOfRun(means: Means, subject: TransferSubject, id: string): Promise<Archive> {
  const artifact = await store.findArtifact(means.database.kysely, id)
  if (artifact?.runId !== subject.runId) throw unknown()
  return archiveOf(artifact)
}

/** A cache that the attempt may find. 404 for any other. */
export async function findArchiveOfCache(means: Means, subject: TransferSubject, id: string): Promise<Archive> {
  const entry = await store.findEntry(means.database.kysely, id)
  if (entry?.teamPath !== subject.teamPath) throw unknown()
  if (![subject.namespace, ...subject.alsoReads].includes(entry.namespace)) throw unknown()
  return archiveOf(entry)
}

export function archiveOf(row: { readonly blobId: string; readonly size: number; readonly sha256: string }): Archive {
  return { id: row.blobId, size: row.size, sha256: row.sha256 }
}

function unknown(): Error {
  return platformProblem('not_found', 'There is nothing of that id for this attempt.')
}
