import type { Assign } from '@signalbox/contracts/runner'
import type { Execution, ExecutionListener, Executor } from '../executor.ts'
import { refuse } from '../refuse.ts'
import type { ContainerTools } from './container-execution.ts'
import { ContainerExecution } from './container-execution.ts'
import type { Reached } from './engine-watch.ts'

export type ContainerExecutorOptions = ContainerTools & {
  /** The engine, as long as one answers. */
  reached: () => Reached | undefined
}

/** Runs each task in a container of the machine's engine. */
export class ContainerExecutor implements Executor {
  readonly name = 'container'
  readonly #options: ContainerExecutorOptions

  constructor(options: ContainerExecutorOptions) {
    this.#options = options
  }

  start(assign: Assign, listener: ExecutionListener): Execution {
    const { container } = assign
    const reached = this.#options.reached()
    if (container === undefined || reached === undefined) {
      return refuse(listener, 'No container engine answers on the machine of this runner, and the task asks for one.')
    }
    const tools = { ...this.#options, engineLost: reached.lost }
    const execution = new ContainerExecution(tools, reached.engine, { ...assign, container }, listener)
    void execution.begin()
    return execution
  }
}
