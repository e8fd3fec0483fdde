import type { Fact, Reaction } from '#platform/facts'
import { reportMoved } from './actions/queue-reports.ts'
import type { Means } from './means.ts'
import { FORGET_JOB } from './store/report-jobs.ts'

/**
 * Tells providers of changes of runs. Each reaction only queues the job that tells; a second call queues the job again. The
 * first two have the names of the room that had them before: such jobs are still queued after an upgrade.
 */
export function reportReactions(means: Means): Reaction[] {
  const react = async ({ payload }: Fact): Promise<void> => {
    const runId = textOf(payload, 'run_id')
    if (runId !== undefined) await reportMoved(means, runId)
  }
  // Most sources report nothing: what becomes of their runs costs no job.
  const mayMatter = (): boolean => means.sources.mayReport() || means.commented.any()
  const wants = (payload: unknown): boolean => CAUSES.has(textOf(payload, 'cause')) && mayMatter()
  return [
    { fact: 'run.finished', name: 'sources.report-finished', wants, react },
    { fact: 'run.approved', name: 'sources.report-approved', react },
    { fact: 'run.started', name: 'reports.tell-started', wants, react },
    { fact: 'approval.requested', name: 'reports.tell-requested', wants: mayMatter, react },
    { fact: 'approval.decided', name: 'reports.tell-decided', wants: mayMatter, react },
    {
      fact: 'source.deleted',
      name: 'reports.forget-source',
      async react({ payload }) {
        const sourceId = textOf(payload, 'source_id')
        if (sourceId !== undefined) await means.jobs.add(means.database.kysely, FORGET_JOB, { sourceId })
      },
    },
  ]
}

/** Applies to runs that a delivery started, and to repetitions of such runs. */
const CAUSES: ReadonlySet<string | undefined> = new Set(['event', 'rerun'])

function textOf(payload: unknown, key: 'run_id' | 'cause' | 'source_id'): string | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined
  const value: unknown = Object.entries(payload).find(([name]) => name === key)?.[1]
  return typeof value === 'string' ? value : undefined
}
