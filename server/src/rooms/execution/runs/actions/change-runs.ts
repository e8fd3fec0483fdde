import { execute, type Statement, type Tx } from '#platform/database'
import type { Kit } from '#platform/room'
import { finishedInQueue, RUN_FINISHED } from '../facts.ts'
import type { CountingKit } from '../means.ts'
import { cancelOf, type RunChange, type StandingRun } from '../rules/standing-run.ts'
import { changingRuns } from '../store/change-runs.ts'
import { lockRuns } from '../store/standing-runs.ts'

/** Changes of runs whose rows the transaction has locked. */
export interface DecidedChanges {
  readonly runs: readonly StandingRun[]
  readonly changes: readonly RunChange[]
  readonly at: Date
}

/** The statements that write changes of runs and tell the fact of each run that ends. */
export function changing(means: CountingKit, { runs, changes, at }: DecidedChanges): readonly Statement[] {
  means.decided?.(runs, changes)
  if (changes.length === 0) return []
  const byId = new Map(runs.map((run) => [run.id, run]))
  const ended = changes.flatMap(({ id, ends }) => {
    const run = byId.get(id)
    return run && ends !== undefined ? [finishedInQueue(run, { status: 'canceled', reason: ends }, at)] : []
  })
  return [
    {
      ...changingRuns(changes, at),
      answered: () => ended.forEach(({ cause }) => void means.observe('canceled', cause)),
    },
    ...means.facts.telling(RUN_FINISHED.kind, RUN_FINISHED.version, ended),
  ]
}

export interface CancelOrder {
  readonly ids: readonly string[]
  readonly reason: string
  readonly at: Date
}

/**
 * Cancels runs. A queued run ends at once. The dispatcher ends a run in hand; it hears of the cancel when the
 * transaction commits. Answers the causes of the runs that ended; the caller counts them after the commit.
 */
export async function cancelRuns(
  kit: Kit & Pick<CountingKit, 'decided'>,
  tx: Tx,
  { ids, reason, at }: CancelOrder,
): Promise<readonly string[]> {
  const runs = await lockRuns(tx, ids)
  const changes = runs.flatMap((run) => cancelOf(run, reason) ?? [])
  const causes: string[] = []
  const means = { ...kit, observe: (_status: string, cause: string) => void causes.push(cause) }
  for (const statement of changing(means, { runs, changes, at })) await execute(tx, statement)
  return causes
}
