import { MemoryBudget } from './executors/container/memory-budget.ts'
import type { LogLimits } from './logs/attempt-log.ts'
import type { RunnerOptions } from './options.ts'
import { defaults } from './options.ts'

/** What the options say of tasks in containers, with what stands for an option that nobody gave. */
export function containerSettings(options: RunnerOptions, capacity: number) {
  const memory = new MemoryBudget(options.containersMemoryMb ?? defaults.containersMemoryMb())
  return {
    imageRules: { registries: options.registries, pullPolicies: options.pullPolicies ?? defaults.pullPolicies },
    host: options.containerHost === 'none' ? undefined : options.containerHost,
    defaultNetwork: options.containerNetwork ?? defaults.containerNetwork,
    dns: options.containerDns ?? [],
    ceiling: options.taskCeiling ?? defaults.taskCeiling(),
    shareMb: Math.floor(memory.totalMb / capacity),
    memory,
    memoryPatienceMs: (options.memoryPatienceSeconds ?? defaults.memoryPatienceSeconds) * 1000,
    patienceMs: (options.containerPatienceSeconds ?? defaults.containerPatienceSeconds) * 1000,
  }
}

/** What is kept of a log. */
export function logLimits(options: RunnerOptions): LogLimits {
  return {
    bytes: options.logLimitBytes ?? defaults.logLimitBytes,
    lines: options.logLimitLines ?? defaults.logLimitLines,
  }
}

/** The most that one workspace may hold. */
export function workspaceLimit(options: RunnerOptions): { readonly bytes: number; readonly files: number } {
  return {
    bytes: (options.workspaceLimitBytes ?? defaults.workspaceLimitBytes) || Infinity,
    files: (options.workspaceLimitFiles ?? defaults.workspaceLimitFiles) || Infinity,
  }
}
