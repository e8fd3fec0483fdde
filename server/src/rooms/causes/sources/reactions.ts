import type { Fact, Reaction } from '#platform/facts'
import { reportMoved } from './actions/queue-reports.ts'
import type { Means } from './means.ts'

/**
 * Tells providers of changes of runs. Each reaction only queues the job that tells; a second call queues the job again.
 */
export function sourceReactions(means: Means): Reaction[] {
  const report = async ({ payload }: Fact): Promise<void> => {
    const runId = textOf(payload, 'run_id')
    if (runId !== undefined) await reportMoved(means, runId)
  }
  return [
    {
      fact: 'run.finished',
      name: 'sources.report-finished',
      // Most sources report no statuses: the ends of their runs cost no job.
      wants: (payload) => CAUSES.has(textOf(payload, 'cause')) && mayReport(means),
      react: report,
    },
    { fact: 'run.approved', name: 'sources.report-approved', react: report },
  ]
}

/** Applies to runs that a delivery started, and to repetitions of such runs. */
const CAUSES: ReadonlySet<string | undefined> = new Set(['event', 'rerun'])

/** False only where the copy of the sources is known to be true. */
function mayReport({ ingress: { book } }: Means): boolean {
  const sources = book.now()
  if (sources) return sources.values().some(({ source }) => source.reportStatus)
  // The copy may be readable at the next call.
  void book.get().catch(() => undefined)
  return true
}

function textOf(payload: unknown, key: 'run_id' | 'cause'): string | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined
  const value: unknown = Object.entries(payload).find(([name]) => name === key)?.[1]
  return typeof value === 'string' ? value : undefined
}
