import { runRoutes } from '@signalbox/contracts/runs/routes'
import { call, newKey } from '../../../client/index.ts'
import type { RunRow } from '../run.ts'

export type ManyAction = 'cancel' | 'rerun'

/** What became of one run of many. */
export interface Outcome {
  readonly run: RunRow
  /** Undefined: done. */
  readonly problem: string | undefined
}

/** Which of these the action is for: what goes on can be canceled, what is over repeated. */
export function fitting(action: ManyAction, runs: readonly RunRow[]): readonly RunRow[] {
  return runs.filter(({ finished_at: end }) => (end === null) === (action === 'cancel'))
}

/** One after the other, so that a refusal of one is told beside the others. `onOutcome` hears of each. */
export async function actOnEach(
  action: ManyAction,
  runs: readonly RunRow[],
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  for (const run of runs) {
    const request = { params: { id: run.run_id }, body: {}, idempotencyKey: newKey() }
    try {
      await (action === 'cancel' ? call(runRoutes.cancelRun, request) : call(runRoutes.rerunRun, request))
      onOutcome({ run, problem: undefined })
    } catch (error) {
      onOutcome({ run, problem: error instanceof Error ? error.message : 'It could not be done.' })
    }
  }
}
