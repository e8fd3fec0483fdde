import { Worker } from 'node:worker_threads'
import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'
import { type Examined, examine } from './examine.ts'
import type { DeliveryToExamine, FromThread } from './examiner-message.ts'
import type { Forge, VerificationRequest } from './port.ts'

export interface Examiner {
  /** Throws, or rejects, only where a forge throws, which none does. */
  examine(forge: Forge, request: VerificationRequest): Examined | Promise<Examined>
}

/** The second thread, as far as it is used here. */
export interface ExaminingThread {
  post(delivery: DeliveryToExamine): void
  onMessage(listener: (message: FromThread) => void): void
  /** Once, however it ended. */
  onEnd(listener: (reason: string) => void): void
  end(): void
}

interface Asked {
  readonly forge: Forge
  readonly request: VerificationRequest
  readonly answer: PromiseWithResolvers<Examined>
}

/**
 * Some 3 ms of work, in which this thread would answer nobody; with 25 MB it is half a second. Smaller ones are examined
 * sooner than they are handed over and back, however many they are.
 */
export const LARGE_BYTES = 256 * 1024
const REOPEN_MS = 10_000
/** Unused for so long it ends, and gives its memory back. */
const IDLE_MS = 10_000

/**
 * Examines large deliveries in a second thread, all others here. Nothing depends on that thread: what it had in hand when
 * it ends is done here.
 */
export function createExaminer(
  kit: { readonly clock: Clock; readonly log: Log },
  open: () => ExaminingThread = openThread,
): Examiner {
  let thread: ExaminingThread | undefined
  let usedAt = 0
  let endedAt = Number.NEGATIVE_INFINITY
  /** In the order in which they were handed over. */
  let away: Asked[] = []

  /** Undefined where there is none, and it is too soon for another one. */
  function theThread(): ExaminingThread | undefined {
    if (thread || kit.clock.monotonic() - endedAt < REOPEN_MS) return thread
    const opened = open()
    thread = opened
    opened.onMessage((examined) => {
      const asked = away.shift()
      if (!asked) return
      if (examined) asked.answer.resolve(examined)
      else examineHere(asked)
    })
    opened.onEnd((reason) => {
      if (thread !== opened) return
      kit.log.warn({ reason }, 'the thread that examines large deliveries ended; they are examined by the first one')
      endedAt = kit.clock.monotonic()
      thread = undefined
      const left = away
      away = []
      takeBack(left)
    })
    kit.clock.after(IDLE_MS, () => endWhenIdle(opened))
    return opened
  }

  function endWhenIdle(opened: ExaminingThread): void {
    if (thread !== opened) return
    const left = away.length > 0 ? IDLE_MS : usedAt + IDLE_MS - kit.clock.monotonic()
    if (left > 0) {
      kit.clock.after(left, () => endWhenIdle(opened))
      return
    }
    thread = undefined
    opened.end()
  }

  /** One in each turn of the event loop. */
  function takeBack([asked, ...rest]: readonly Asked[]): void {
    if (!asked) return
    examineHere(asked)
    kit.clock.nextTurn(() => takeBack(rest))
  }

  return {
    examine(forge, request) {
      const there = request.rawBody.length >= LARGE_BYTES ? theThread() : undefined
      if (!there) return examine(forge, request)
      usedAt = kit.clock.monotonic()
      const answer = Promise.withResolvers<Examined>()
      away.push({ forge, request, answer })
      there.post(toMessage(forge, request))
      return answer.promise
    },
  }
}

function examineHere({ forge, request, answer }: Asked): void {
  try {
    answer.resolve(examine(forge, request))
  } catch (error) {
    answer.reject(error)
  }
}

/** The body is copied once: this thread stores it too, and gives away the copy as it is. */
function toMessage(
  forge: Forge,
  { headers, authMode, receivedAt, rawBody, secrets }: VerificationRequest,
): DeliveryToExamine {
  return {
    forge: forge.id,
    headers,
    authMode,
    receivedAt,
    rawBody: new Uint8Array(rawBody),
    secrets: secrets.map((secret) => new Uint8Array(secret)),
  }
}

export function openThread(): ExaminingThread {
  const worker = new Worker(new URL('./examiner-thread.ts', import.meta.url))
  return {
    post: (delivery) => worker.postMessage(delivery, [delivery.rawBody.buffer]),
    onMessage(listener) {
      worker.on('message', listener)
      // The process ends without it. Not sooner: who listens refers to it again.
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
