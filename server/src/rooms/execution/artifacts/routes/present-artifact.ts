import type { Artifact } from '@signalbox/contracts/artifacts'
import type { Answer } from '#platform/http'
import { toWireTime } from '#platform/time'
import type { KeptArtifact } from '../actions/keep-artifact.ts'
import type { StreamedBlob } from '../actions/stream-blob.ts'

export function presentArtifact(row: KeptArtifact): Artifact {
  return {
    id: row.id,
    run_id: row.runId,
    step: row.step,
    task: row.task,
    name: row.name,
    files: row.files,
    size: row.size,
    sha256: row.sha256,
    created_at: toWireTime(row.createdAt),
    expires_at: toWireTime(row.expiresAt),
  }
}

export function streamedAnswer(
  { status, stream, headers }: StreamedBlob,
  more: Record<string, string> = {},
): Answer<200 | 206> {
  return { status, body: stream, headers: { ...headers, ...more } }
}
