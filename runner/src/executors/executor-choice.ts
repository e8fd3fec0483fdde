import { RunnerError } from '../errors.ts'
import type { Executor } from './executor.ts'
import { refuse } from './refuse.ts'

export const EXECUTOR_NAMES = ['host', 'container'] as const

export type ExecutorName = (typeof EXECUTOR_NAMES)[number]

/** Hands each task to the executor that it asks for: in a container where it names an image, else on the host. */
export function chooseExecutor(executors: Readonly<Partial<Record<ExecutorName, Executor>>>): Executor {
  return {
    start: (assign, listener) => {
      const wanted: ExecutorName = assign.container === undefined ? 'host' : 'container'
      const executor = executors[wanted]
      if (executor !== undefined) return executor.start(assign, listener)
      const where = wanted === 'host' ? 'on the machine itself' : 'in containers'
      return refuse(listener, `This runner does not run tasks ${where}; its operator has left that out of --executors.`)
    },
  }
}

/**
 * Tasks on the host work where root in containers leaves files, also at this moment. A runner that is root runs both only on
 * a machine that keeps a task from gaining rights by such a file: `held`. Throws a `RunnerError`.
 */
export function requireBoundary(wanted: ReadonlySet<ExecutorName>, held: boolean): void {
  if (held || wanted.size < 2) return
  throw new RunnerError(
    'runner.rights_not_held',
    'This runner is root and is to run tasks on the host and in containers. A container may leave a setuid program, and nothing here keeps a task on the host from becoming root by it. Install util-linux (setpriv, unshare), or start one runner with --executors host and another one with --executors container.',
  )
}
