import { isTerminalRun } from '@signalbox/pipeline/status'
import type { State } from './lease-state.ts'

/** The violated invariant; undefined: all hold. */
export function findWrong(before: State | undefined, state: State): string | undefined {
  const atWork = state.runners.filter(({ hand, frozen }) => hand?.state.phase === 'running' && !frozen)
  if (atWork.length > 1) return 'the task runs twice'
  if (state.rows.filter(({ status }) => status === 'leased').length > 1) return 'two leases of one task'
  if (state.rows.filter(({ status }) => status === 'success').length > 1) return 'two results count'
  for (const row of before?.rows ?? []) {
    const after = state.rows.find(({ fence }) => fence === row.fence)
    if (row.status !== 'leased' && after?.status !== row.status) return `lease ${row.fence} ended twice`
  }
  if (before !== undefined && isTerminalRun(before.run.status) && before.run.status !== state.run.status) {
    return 'a run that was over moved'
  }
  const success = state.rows.find(({ status }) => status === 'success')
  if (success !== undefined && before?.rows.find(({ fence }) => fence === success.fence)?.status === 'leased') {
    const { runner, fence } = success
    const reported = before.runners[runner === 0 ? 0 : 1].hand
    if (reported?.fence !== fence || reported.state.phase !== 'reported') return 'a result counts that nobody reported'
  }
  return undefined
}
