import { Worker } from 'node:worker_threads'
import type { Owner } from '../processes/running-process.ts'
import type { Answer, Job, JobResult, Order } from './jobs.ts'
import type { Usage } from './measure.ts'

// Longer than any disk takes for what a workspace may hold; a process that writes meanwhile could go on for ever.
const LONGEST_MS = 600_000
// The end of a task waits for it.
const LONGEST_STRIP_MS = 60_000
const HEAP_MB = 256
const LEAVING = 'the runner leaves'

/** Something went wrong with a tree; `code` is the system's, where it has one. */
export class TreeError extends Error {
  override readonly name = 'TreeError'
  readonly code: string | undefined

  constructor(message: string, code: string | undefined) {
    super(message)
    this.code = code
  }
}

interface Waiting {
  resolve(result: JobResult): void
  reject(error: TreeError): void
}

/**
 * Works on trees of files that tasks left: any depth, any width, names of any bytes. Jobs run on a thread of their own,
 * with two open folders each. Every job ends: with its result, or with a `TreeError` after ten minutes at most.
 */
export class Trees implements AsyncDisposable {
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #lastId = 0
  #closed = false
  readonly #withinMs: number

  /** `withinMs`: after which a job is given up. */
  constructor({ withinMs = LONGEST_MS }: { readonly withinMs?: number } = {}) {
    this.#withinMs = withinMs
  }

  /** Removes a folder with everything in it; without effect where there is none. */
  async remove(path: string): Promise<void> {
    await this.#do({ what: 'remove', path })
  }

  /** Takes away setuid and setgid bits and devices. */
  async stripRights(path: string): Promise<void> {
    await this.#do({ what: 'strip', path })
  }

  /** Gives everything to `owner`, and takes those rights away. */
  async takeOver(path: string, owner: Owner): Promise<void> {
    await this.#do({ what: 'take over', path, owner })
  }

  /** Counts until there is more than `most`. */
  async measure(path: string, most: Usage): Promise<Usage> {
    return (await this.#do({ what: 'measure', path, most })) ?? { bytes: 0, files: 0 }
  }

  /** Breaks off the work under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    this.#closed = true
    await worker?.terminate()
    this.#fail(LEAVING)
  }

  #do(job: Job): Promise<JobResult> {
    if (this.#closed) return Promise.reject(new TreeError(LEAVING, undefined))
    this.#worker ??= this.#start()
    const worker = this.#worker
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<JobResult>()
    this.#waiting.set(id, { resolve, reject })
    worker.ref()
    const order: Order = {
      id,
      job,
      withinMs: Math.min(this.#withinMs, job.what === 'strip' ? LONGEST_STRIP_MS : LONGEST_MS),
    }
    worker.postMessage(order, [])
    return promise
  }

  #start(): Worker {
    const worker = new Worker(new URL('./tree-worker.ts', import.meta.url), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    worker.on('message', (answer: Answer) => this.#settle(worker, answer))
    worker.on('error', (error: Error) => this.#break(worker, error.message))
    worker.on('exit', () => this.#break(worker, 'its thread ended'))
    return worker
  }

  #settle(worker: Worker, answer: Answer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    // A thread that waits for work keeps no process alive. A thread that is being ended does, because the disposal
    // waits for it.
    if (this.#waiting.size === 0 && !this.#closed) worker.unref()
    if ('problem' in answer) waiting?.reject(new TreeError(answer.problem.message, answer.problem.code))
    else waiting?.resolve(answer.result)
  }

  /** The next job gets another thread. */
  #break(worker: Worker, why: string): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#fail(why)
  }

  #fail(why: string): void {
    for (const { reject } of this.#waiting.values()) reject(new TreeError(why, undefined))
    this.#waiting.clear()
  }
}
