import type { Runner } from '#rooms/catalog/runners'

export type RunnerCondition = 'connected' | 'draining' | 'disabled' | 'disconnected'

export function conditionOf(runner: Runner, isReachable: boolean): RunnerCondition {
  if (!isReachable) return 'disconnected'
  if (!runner.enabled) return 'disabled'
  return runner.draining || runner.leaving ? 'draining' : 'connected'
}
