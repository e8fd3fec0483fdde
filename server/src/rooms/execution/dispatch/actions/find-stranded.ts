import type { Means } from '../means.ts'
import type { InboxItem } from '../rules/inbox.ts'
import { whyStranded } from '../rules/stranded.ts'

const LIMIT = 500

/**
 * Attempts that wait for the runner with the workspace of their step, which will not take them any more. `heardMs`: how
 * long every runner could have been heard; none is taken for lost before that is a whole lease.
 */
export async function findStranded(means: Means, heardMs: number): Promise<readonly InboxItem[]> {
  const db = means.database.kysely
  const pinned = await means.runs.progress.listPinned(db, LIMIT)
  if (pinned.length === 0) return []
  const runners = new Map((await means.runners.list(db)).map((runner) => [runner.id, runner]))
  const leaseMs = means.config.leaseSeconds * 1000
  const lostBefore = heardMs > leaseMs ? new Date(means.clock.now().getTime() - leaseMs) : undefined
  return pinned.flatMap((attempt): InboxItem[] => {
    const { id: attemptId, runId, step, task, number, scope, requirement } = attempt
    const runner = runners.get(requirement.runner ?? '')
    const state = runner && means.runners.stateOf(runner, 0)
    const able = (at: NonNullable<typeof state>) =>
      means.runners.judge({ scope, requirement }, [{ ...at, enabled: true, draining: false, reachable: true, free: 1 }])
    const reason = whyStranded(step, state, { lostBefore, able })
    if (reason === undefined) return []
    return [{ kind: 'stranded', assignment: { attemptId, runId, step, task, number }, reason }]
  })
}
