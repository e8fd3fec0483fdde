import type { Kit } from '#platform/room'
import { finishedInQueue, RUN_FINISHED } from '../facts.ts'
import { describeDuration } from '../rules/duration.ts'
import { listOverdue, type OverdueRow, timeOutQueued } from '../store/queue-deadlines.ts'
import { lockRuns } from '../store/standing-runs.ts'
import type { Observe } from './change-runs.ts'
import { type JudgeNeeds, judgeQueue } from './judge-queue.ts'

const LIMIT = 100

/** Ends the runs that no runner took within the `queue_timeout` of their pipelines, with the reason why none did. */
export async function expireQueued(kit: Kit, needs: JudgeNeeds, observe: Observe): Promise<void> {
  const at = kit.clock.now()
  for (const run of await listOverdue(kit.database.kysely, at, LIMIT)) {
    const reason = await explain(kit, needs, run)
    const ended = await kit.database.transaction(async (tx) => {
      const [queued] = await lockRuns(tx, [run.id])
      if (!queued || !(await timeOutQueued(tx, run.id, reason, at))) return false
      const finished = finishedInQueue(queued, { status: 'timed_out', reason }, at)
      await kit.facts.tell(tx, RUN_FINISHED.kind, RUN_FINISHED.version, finished)
      return true
    })
    if (ended) observe('timed_out', run.cause)
  }
}

async function explain(kit: Kit, needs: JudgeNeeds, run: OverdueRow): Promise<string> {
  const { reason } = await judgeQueue(needs, kit.database.kysely, run)
  const time = describeDuration(run.queue_timeout_ms)
  return `No runner took it within ${time}. ${reason ?? 'One can take it now, but had others to take before.'}`
}
