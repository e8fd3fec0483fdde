import type { Kit } from '#platform/room'
import type { Runners } from '#rooms/catalog/runners'
import type { Runs } from '#rooms/execution/runs'
import type { InboxItem } from '../rules/inbox.ts'
import { whyStranded } from '../rules/stranded.ts'

export interface StrandedNeeds {
  readonly runs: { readonly progress: Pick<Runs['progress'], 'listPinned'> }
  readonly runners: Pick<Runners, 'list' | 'stateOf' | 'judge'>
}

const LIMIT = 500

/**
 * Attempts that wait for the runner with the workspace of their step, which will not take them any more. `heardMs`: how
 * long every runner could have been heard; none is taken for lost before that is a whole lease.
 */
export async function findStranded(kit: Kit, needs: StrandedNeeds, heardMs: number): Promise<readonly InboxItem[]> {
  const db = kit.database.kysely
  const pinned = await needs.runs.progress.listPinned(db, LIMIT)
  if (pinned.length === 0) return []
  const runners = new Map((await needs.runners.list(db)).map((runner) => [runner.id, runner]))
  const leaseMs = kit.config.leaseSeconds * 1000
  const lostBefore = heardMs > leaseMs ? new Date(kit.clock.now().getTime() - leaseMs) : undefined
  return pinned.flatMap((attempt): InboxItem[] => {
    const { id: attemptId, runId, step, task, number, scope, requirement } = attempt
    const runner = runners.get(requirement.runner)
    const state = runner && needs.runners.stateOf(runner, 0)
    const able = (at: NonNullable<typeof state>) =>
      needs.runners.judge({ scope, requirement }, [{ ...at, enabled: true, draining: false, reachable: true, free: 1 }])
    const reason = whyStranded(step, state, { lostBefore, able })
    if (reason === undefined) return []
    return [{ kind: 'stranded', assignment: { attemptId, runId, step, task, number }, reason }]
  })
}
