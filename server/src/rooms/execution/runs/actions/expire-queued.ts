import { finishedInQueue, RUN_FINISHED } from '../facts.ts'
import type { Means } from '../means.ts'
import { describeDuration } from '../rules/duration.ts'
import { listOverdue, type OverdueRow, timeOutQueued } from '../store/queue-deadlines.ts'
import { lockRuns } from '../store/standing-runs.ts'
import { judgeQueue } from './judge-queue.ts'

const LIMIT = 100

/** Ends the runs that no runner took within the `queue_timeout` of their pipelines, with the reason why none did. */
export async function expireQueued(means: Means): Promise<void> {
  const at = means.clock.now()
  for (const run of await listOverdue(means.database.kysely, at, LIMIT)) {
    const reason = await explain(means, run)
    const ended = await means.database.transaction(async (tx) => {
      const [queued] = await lockRuns(tx, [run.id])
      if (!queued || !(await timeOutQueued(tx, run.id, reason, at))) return false
      const finished = finishedInQueue(queued, { status: 'timed_out', reason }, at)
      await means.facts.tell(tx, RUN_FINISHED.kind, RUN_FINISHED.version, finished)
      return true
    })
    if (ended) means.observe('timed_out', run.cause)
  }
}

async function explain(means: Means, run: OverdueRow): Promise<string> {
  const { reason } = await judgeQueue(means, means.database.kysely, run)
  const time = describeDuration(run.queue_timeout_ms)
  return `No runner took it within ${time}. ${reason ?? 'One can take it now, but had others to take before.'}`
}
