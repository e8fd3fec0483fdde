import { namesOfRef, type RunFacts } from '@signalbox/pipeline/facts'
import { readRecord } from './stored-json.ts'

/** The bare names of the two branches of a pull request. */
export interface PullRequestRefs {
  readonly baseRef: string | null
  readonly headRef: string | null
}

/** As the event of a pull request tells them. */
export function refsOf(event: unknown): PullRequestRefs {
  const { base, head } = readRecord(readRecord(event)['pull_request'])
  return { baseRef: readName(base), headRef: readName(head) }
}

function readName(end: unknown): string | null {
  const { ref } = readRecord(end)
  return typeof ref === 'string' ? ref : null
}

interface FactsRow {
  readonly id: string
  readonly pipeline_identifier: string
  readonly scope: string
  readonly cause: string
  readonly repository: string | null
  readonly ref: string | null
  readonly branch: string | null
  readonly commit_sha: string | null
  readonly pull_request: number | null
  readonly base_ref: string | null
  readonly head_ref: string | null
  readonly scheduled_at: Date | null
}

/** The facts of a run that conditions, groups and tasks may read. */
export function factsOfRow(row: FactsRow): RunFacts {
  return {
    id: row.id,
    pipeline: row.pipeline_identifier,
    scope: row.scope,
    cause: row.cause,
    repository: row.repository,
    ref: row.ref,
    ...namesOfRef(row.ref, row.branch, row.pull_request),
    commit: row.commit_sha,
    pullRequest: row.pull_request,
    baseRef: row.base_ref,
    headRef: row.head_ref,
    scheduledAt: row.scheduled_at?.toISOString() ?? null,
  }
}
