import type { EventEmitter } from 'node:events'

/** What the job library tells of its workers, as far as the turns need it. */
interface TellsOfJob {
  readonly job: { readonly task_identifier: string }
}

/**
 * Bounds how many jobs of each kind the workers of one process have in hand. A worker at a time asks for a job: so none
 * takes a job above the limit of its kind, and a kind whose jobs all hang leaves the other workers free.
 */
export class Turns {
  readonly #limits: ReadonlyMap<string, number>
  readonly #inHand = new Map<string, number>()
  #last: Promise<void> = Promise.resolve()
  #end = (): void => undefined

  /** `limits`: jobs at a time, by the name of the job. `events`: those of the library for these workers alone. */
  constructor(limits: ReadonlyMap<string, number>, events: EventEmitter) {
    this.#limits = limits
    events.on('job:start', ({ job }: TellsOfJob) => {
      this.#count(job.task_identifier, 1)
      this.#end()
    })
    events.on('worker:getJob:empty', () => this.#end())
    events.on('worker:getJob:error', () => this.#end())
    events.on('job:complete', ({ job }: TellsOfJob) => this.#count(job.task_identifier, -1))
  }

  /** Waits until the worker before has its answer; then the kinds of which no further job may be taken. */
  async take(): Promise<string[]> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    this.#end = resolve
    return [...this.#limits].filter(([name, limit]) => (this.#inHand.get(name) ?? 0) >= limit).map(([name]) => name)
  }

  #count(name: string, by: 1 | -1): void {
    this.#inHand.set(name, (this.#inHand.get(name) ?? 0) + by)
  }
}
