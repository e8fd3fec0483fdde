import type { Executor } from './executor.ts'
import { refuse } from './refuse.ts'

export const executorNames = ['host', 'container'] as const

export type ExecutorName = (typeof executorNames)[number]

/** Hands each task to the executor that it asks for: in a container where it names an image, else on the host. */
export const chooseExecutor = (executors: Readonly<Partial<Record<ExecutorName, Executor>>>): Executor => ({
  name: 'choice',
  start: (assign, listener) => {
    const wanted: ExecutorName = assign.container === undefined ? 'host' : 'container'
    const executor = executors[wanted]
    if (executor !== undefined) return executor.start(assign, listener)
    const where = wanted === 'host' ? 'on the machine itself' : 'in containers'
    return refuse(listener, `This runner does not run tasks ${where}; its operator has left that out of --executors.`)
  },
})
