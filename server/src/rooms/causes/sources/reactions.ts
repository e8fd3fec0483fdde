import type { Fact, Reaction } from '#platform/facts'
import { reportMoved } from './actions/queue-reports.ts'
import type { Means } from './means.ts'

/** What runs below do that providers are told. Each only queues the job that tells, again where it is called again. */
export function sourceReactions(means: Means): Reaction[] {
  const report = async ({ payload }: Fact): Promise<void> => {
    const runId = textOf(payload, 'run_id')
    if (runId !== undefined) await reportMoved(means, runId)
  }
  return [
    {
      fact: 'run.finished',
      name: 'sources.report-finished',
      // Most runs end where nobody reports: their ends cost no job.
      wants: (payload) => CAUSES.has(textOf(payload, 'cause')) && mayReport(means),
      react: report,
    },
    { fact: 'run.approved', name: 'sources.report-approved', react: report },
  ]
}

/** Of runs that a delivery started, or that repeat one. */
const CAUSES: ReadonlySet<string | undefined> = new Set(['event', 'rerun'])

/** False only where the copy of the sources is known to be true. */
function mayReport({ ingress: { book } }: Means): boolean {
  const sources = book.now()
  if (sources) return sources.values().some(({ source }) => source.reportStatus)
  // Somebody may ask again soon.
  void book.get().catch(() => undefined)
  return true
}

function textOf(payload: unknown, key: 'run_id' | 'cause'): string | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined
  const value: unknown = Object.entries(payload).find(([name]) => name === key)?.[1]
  return typeof value === 'string' ? value : undefined
}
