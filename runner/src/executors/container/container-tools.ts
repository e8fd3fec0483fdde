import type { Log } from '../../log.ts'
import type { Time } from '../../time/index.ts'
import type { WorkspaceTools } from '../workspace/prepare.ts'
import type { BridgeRules } from './bridge-rules.ts'
import type { Engine } from './engine/engine.ts'
import type { ImageRules } from './image-rules.ts'
import type { KnownImages } from './known-images.ts'
import type { MemoryBudget } from './memory-budget.ts'
import type { TaskCeiling } from './plan-limits.ts'
import type { RunnerStart } from './specs.ts'

export type ContainerTools = WorkspaceTools & {
  time: Time
  runner: RunnerStart
  images: KnownImages
  imageRules: ImageRules
  /** The meaning of the network `default` on this runner; `default` itself: a network for each attempt. */
  defaultNetwork: string
  /** Name servers of containers; empty: the engine's own. */
  dns: readonly string[]
  /** The beginning of every task's environment. */
  base: Readonly<Record<string, string>>
  /** The most that one task and its services have. */
  ceiling: TaskCeiling
  /** The memory of a task that asks for none. */
  shareMb: number
  /** The memory of all tasks together. */
  memory: MemoryBudget
  /** The longest that a task waits for that. */
  memoryPatienceMs: number
  log: Log
}

export type ExecutionTools = ContainerTools & {
  engine: Engine
  /** Aborted, with a sentence as its reason, when the engine has not answered for too long. */
  engineLost: AbortSignal
  /** A call got no connection: the engine is asked at once. */
  suspectEngine: () => void
  rules: BridgeRules
}
