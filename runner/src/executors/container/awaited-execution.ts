import { notStarted, STOPPED_EARLY } from '../../processes/running-process.ts'
import type { Execution, ExecutionListener } from '../executor.ts'
import { AttemptWorkspace } from '../workspace/attempt-workspace.ts'
import type { EngineWatch, Reached } from './engine-watch.ts'

export interface AwaitedOptions {
  watch: EngineWatch
  /** The engine is not waited for any longer than this. */
  patienceMs: number
  listener: ExecutionListener
  begin: (reached: Reached, workspace: AttemptWorkspace) => Execution
}

/**
 * An attempt that begins once the engine answers. A restarted engine is back within seconds. A task that came meanwhile
 * has not begun: it waits, and its log says why. After the patience the task is handed back.
 */
export class AwaitedExecution implements Execution {
  readonly #options: AwaitedOptions
  readonly workspace = new AttemptWorkspace()
  readonly #stop = new AbortController()
  #begun: Execution | undefined
  #paused = false

  constructor(options: AwaitedOptions) {
    this.#options = options
  }

  async wait(): Promise<void> {
    const { watch, patienceMs, listener, begin } = this.#options
    const seconds = patienceMs / 1000
    const waiting = () => {
      const reason = `The container engine of this runner does not answer; the task waits for it, ${seconds} s at most.`
      listener.note(reason)
      listener.waits(reason)
    }
    const reached = await watch.untilAnswers(this.#stop.signal, waiting)
    listener.waits(undefined)
    if (this.#stop.signal.aborted) {
      listener.ended(notStarted(STOPPED_EARLY))
    } else if (reached === undefined) {
      const reason = `The container engine of this runner did not answer for ${seconds} s; the task had not begun.`
      listener.ended({ kind: 'not_begun', reason })
    } else {
      this.#begun = begin(reached, this.workspace)
      if (this.#paused) this.#begun.pause(true)
    }
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    this.#stop.abort()
    this.#begun?.signal(name)
  }

  pause(paused: boolean): void {
    this.#paused = paused
    this.#begun?.pause(paused)
  }
}
