import { notStarted } from '../processes/running-process.ts'
import type { Execution, ExecutionListener } from './executor.ts'
import { AttemptWorkspace } from './workspace/attempt-workspace.ts'

/** An attempt that ends before it has begun. */
export function refuse(listener: ExecutionListener, reason: string): Execution {
  // Never at once: the caller has no execution in hand yet.
  queueMicrotask(() => listener.ended(notStarted(reason)))
  return { signal: () => {}, pause: () => {}, workspace: new AttemptWorkspace() }
}
