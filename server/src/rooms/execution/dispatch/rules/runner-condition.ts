import type { Runner, Runners } from '#rooms/catalog/runners'

export type RunnerCondition = 'connected' | 'draining' | 'disabled' | 'disconnected'

export function conditionOf(runners: Pick<Runners, 'isReachable'>, runner: Runner): RunnerCondition {
  if (!runners.isReachable(runner)) return 'disconnected'
  if (!runner.enabled) return 'disabled'
  return runner.draining || runner.leaving ? 'draining' : 'connected'
}
