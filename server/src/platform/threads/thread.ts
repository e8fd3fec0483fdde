import { parentPort, type Transferable, Worker } from 'node:worker_threads'

/** A thread that answers messages in their order. Null: it failed, and the first thread does the work itself. */
export interface Thread<Message, Answer> {
  /** Buffers in `transfer` are given away, not copied. */
  post(message: Message, transfer: readonly Transferable[]): void
  onMessage(listener: (answer: Answer | null) => void): void
  /** Once, however it ended. */
  onEnd(listener: (reason: string) => void): void
  end(): void
}

/** Starts the program at `url`, which calls `answerInThread`. */
export function openThread<Message, Answer>(url: URL): Thread<Message, Answer> {
  const worker = new Worker(url)
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    onMessage(listener) {
      worker.on('message', listener)
      // The process ends without it. Not sooner: a listener refers to it again.
      worker.unref()
    },
    onEnd(listener) {
      let reason = 'without an error'
      worker.on('error', (error) => {
        reason = String(error)
      })
      worker.on('exit', () => listener(reason))
    },
    end: () => void worker.terminate(),
  }
}

/** The whole program of a thread, which keeps nothing from one message to the next. */
export function answerInThread<Message, Answer>(answer: (message: Message) => Answer): void {
  parentPort?.on('message', (message: Message) => {
    let answered: Answer | null = null
    try {
      answered = answer(message)
    } catch {
      // Null says it: the first thread does the work again, and tells the error there.
    }
    parentPort?.postMessage(answered, [])
  })
}
