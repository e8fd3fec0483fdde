import { MemoryBudget } from './executors/container/memory-budget.ts'
import type { LogLimits } from './logs/attempt-log.ts'
import type { RunnerOptions } from './options.ts'
import { DEFAULTS } from './options.ts'

/** The options for tasks in containers, with the defaults of those that were not given. */
export function containerSettings(options: RunnerOptions, capacity: number) {
  const memory = new MemoryBudget(options.containersMemoryMb ?? DEFAULTS.containersMemoryMb())
  return {
    imageRules: { registries: options.registries, pullPolicies: options.pullPolicies ?? DEFAULTS.pullPolicies },
    host: options.containerHost === 'none' ? undefined : options.containerHost,
    defaultNetwork: options.containerNetwork ?? DEFAULTS.containerNetwork,
    dns: options.containerDns ?? [],
    ceiling: options.taskCeiling ?? DEFAULTS.taskCeiling(),
    shareMb: Math.floor(memory.totalMb / capacity),
    memory,
    memoryPatienceMs: (options.memoryPatienceSeconds ?? DEFAULTS.memoryPatienceSeconds) * 1000,
    patienceMs: (options.containerPatienceSeconds ?? DEFAULTS.containerPatienceSeconds) * 1000,
  }
}

export function logLimits(options: RunnerOptions): LogLimits {
  return {
    bytes: options.logLimitBytes ?? DEFAULTS.logLimitBytes,
    lines: options.logLimitLines ?? DEFAULTS.logLimitLines,
  }
}

/** The most that one workspace may hold. */
export function workspaceLimit(options: RunnerOptions): { readonly bytes: number; readonly files: number } {
  return {
    bytes: (options.workspaceLimitBytes ?? DEFAULTS.workspaceLimitBytes) || Infinity,
    files: (options.workspaceLimitFiles ?? DEFAULTS.workspaceLimitFiles) || Infinity,
  }
}
