import type { Execution, ExecutionListener } from './executor.ts'

/** An attempt that ends before it has begun. */
export function refuse(listener: ExecutionListener, reason: string): Execution {
  // Never at once: the caller has no execution in hand yet.
  queueMicrotask(() => listener.ended({ kind: 'not_started', reason }))
  return {
    signal: () => {},
    pause: () => {},
    outputStamp: () => '',
    readOutputs: () => ({ text: '' }),
    files: () => undefined,
    release: () => Promise.resolve(),
  }
}
