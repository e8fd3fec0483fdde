import type { ArtifactInput } from '@signalbox/contracts/artifacts'
import { artifactProblem } from '../errors.ts'
import { ARTIFACT_STORED } from '../facts.ts'
import type { Means } from '../means.ts'
import type { TransferSubject } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { requireSpace } from './keep-quotas.ts'

const DAY_MS = 86_400_000

/**
 * Makes a complete archive an artifact of the attempt. A repetition answers the same. Throws `artifact.name_taken` (409)
 * for another content under the same name, `transfer.incomplete` (409) for an archive that is not complete.
 */
export async function keepArtifact(
  means: Means,
  subject: TransferSubject,
  input: ArtifactInput,
): Promise<store.ArtifactRow> {
  const { attemptId, runId, step, task, teamPath } = subject
  return means.database.transaction(async (tx) => {
    await store.lockTeam(tx, teamPath)
    const blob = await store.lockComplete(tx, teamPath, input.sha256)
    if (!blob)
      throw artifactProblem('transfer.incomplete', 'The archive is not whole: send the parts that are missing.')
    const now = means.clock.now()
    const keptMs = (input.retention_seconds ?? 0) * 1000 || means.config.artifactRetentionDays * DAY_MS
    const id = means.ids.next()
    const place = { runId, attemptId, step, task, name: input.name, teamPath }
    const content = { blobId: blob.id, files: input.files, size: blob.size }
    const times = { createdAt: now, expiresAt: new Date(now.getTime() + keptMs) }
    const kept = await store.insertArtifact(tx, { id, ...place, ...content, ...times })
    if (kept.blobId !== blob.id) {
      throw artifactProblem('artifact.name_taken', `The attempt has another artifact named ${input.name}.`)
    }
    if (kept.id !== id) return kept
    // Counted again under the lock: another task may have filled the space meanwhile. This artifact is in the sum already.
    await requireSpace(means, tx, teamPath, { size: 0, waiting: 0 })
    await store.useBlob(tx, blob.id, now)
    const told = { artifact_id: id, run_id: runId, step, task, name: input.name, team_path: teamPath, size: blob.size }
    await means.facts.tell(tx, ARTIFACT_STORED.kind, ARTIFACT_STORED.version, told)
    return kept
  })
}
