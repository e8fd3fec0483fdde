import type { Executor } from '../executor.ts'
import { refuse } from '../refuse.ts'
import { AwaitedExecution } from './awaited-execution.ts'
import type { BridgeRules } from './bridge-rules.ts'
import { ContainerExecution } from './container-execution.ts'
import type { ContainerTools } from './container-tools.ts'
import type { EngineWatch } from './engine-watch.ts'

export type ContainerExecutorOptions = ContainerTools & {
  watch: EngineWatch
  rules: BridgeRules
  /** Silence of an engine that ends what is in its hands. */
  patienceMs: number
}

/** Runs each task in a container of the machine's engine. */
export function containerExecutor(options: ContainerExecutorOptions): Executor {
  const { watch, patienceMs } = options
  return {
    start(assign, listener) {
      const { container } = assign
      if (container === undefined) return refuse(listener, 'The task names no image.')
      const execution = new AwaitedExecution({
        watch,
        patienceMs,
        listener,
        begin: ({ engine, lost }, workspace) => {
          const tools = { ...options, engine, engineLost: lost, suspectEngine: () => watch.suspect() }
          const begun = new ContainerExecution(tools, { ...assign, container }, listener, workspace)
          void begun.begin()
          return begun
        },
      })
      void execution.wait()
      return execution
    },
  }
}
