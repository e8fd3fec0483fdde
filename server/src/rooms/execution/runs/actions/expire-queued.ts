import type { Kit } from '#platform/room'
import { tellFinished } from '../facts.ts'
import { describeDuration } from '../rules/duration.ts'
import { listOverdue, type OverdueRow, timeOutQueued } from '../store/queue-deadlines.ts'
import { type JudgeNeeds, judgeQueue } from './judge-queue.ts'
import type { Observe } from './queue-runs.ts'

const LIMIT = 100

/** Ends the runs that no runner took within the `queue_timeout` of their pipelines, with the reason why none did. */
export async function expireQueued(kit: Kit, needs: JudgeNeeds, observe: Observe): Promise<void> {
  const at = kit.clock.now()
  for (const run of await listOverdue(kit.database.kysely, at, LIMIT)) {
    const reason = await explain(kit, needs, run)
    const ended = await kit.database.transaction((tx) => timeOutQueued(tx, run.id, reason, at, tellFinished(kit)))
    if (ended) observe('timed_out', run.cause)
  }
}

async function explain(kit: Kit, needs: JudgeNeeds, run: OverdueRow): Promise<string> {
  const { reason } = await judgeQueue(needs, kit.database.kysely, run)
  const time = describeDuration(run.queue_timeout_ms)
  return `No runner took it within ${time}. ${reason ?? 'One can take it now, but had others to take before.'}`
}
