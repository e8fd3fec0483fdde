import { Worker } from 'node:worker_threads'
import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'
import { type Examined, examine } from './examine.ts'
import {
  type Batch,
  type DeliveryToExamine,
  type FromThread,
  type PackedExamined,
  unpackExamined,
} from './examiner-message.ts'
import type { Forge, VerificationRequest } from './port.ts'

export interface Examiner {
  /** Rejects only where a forge throws, which none does. */
  examine(forge: Forge, request: VerificationRequest): Promise<Examined>
}

/** The second thread, as far as it is used here. */
export interface ExaminingThread {
  post(batch: Batch): void
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

/** Fewer at a time are done sooner than they are handed over and back, and a quiet server needs no second thread. */
const WORTH_DELIVERIES = 4
/** Some 3 ms of work, in which this thread would answer nobody. */
const WORTH_BYTES = 256 * 1024
/** One that is examined and one that is next. What comes meanwhile goes together: each message wakes a thread. */
const BATCHES_AWAY = 2
/** What comes beyond is done by this thread, which has nothing better to do then. */
const MOST_WAITING = 32
const REOPEN_MS = 10_000
/** Unused for so long it ends, and gives its memory back. */
const IDLE_MS = 10_000
/** Next to nothing of a delivery outlives it, so that more room for the young only takes memory. */
const YOUNG_MEGABYTES = 24

/**
 * Examines deliveries that come together in a second thread: signatures, JSON and what is made of it are half of what this
 * process does for a delivery. Nothing depends on that thread: until it is ready, when it has much to do, and what it had
 * in hand when it ends, is done here.
 */
export function createExaminer(
  kit: { readonly clock: Clock; readonly log: Log },
  open: () => ExaminingThread = openThread,
): Examiner {
  let gathered: Asked[] = []
  let isPlanned = false
  let thread: ExaminingThread | undefined
  let ready = false
  let usedAt = 0
  let endedAt = Number.NEGATIVE_INFINITY
  let away: (readonly Asked[])[] = []

  function plan(): void {
    if (isPlanned || gathered.length === 0) return
    isPlanned = true
    kit.clock.nextTurn(go)
  }

  function go(): void {
    isPlanned = false
    if (isWorthIt(gathered)) start()
    if (away.length >= BATCHES_AWAY) {
      for (const asked of gathered.splice(MOST_WAITING)) examineHere(asked)
      return
    }
    const batch = gathered
    gathered = []
    if (ready && (away.length > 0 || isWorthIt(batch))) {
      usedAt = kit.clock.monotonic()
      thread?.post(packBatch(batch))
      away.push(batch)
    } else for (const asked of batch) examineHere(asked)
  }

  function start(): void {
    if (thread || kit.clock.monotonic() - endedAt < REOPEN_MS) return
    const opened = open()
    thread = opened
    opened.onMessage((message) => {
      if (message === 'ready') ready = true
      else take(message)
    })
    usedAt = kit.clock.monotonic()
    kit.clock.after(IDLE_MS, () => endWhenIdle(opened))
    opened.onEnd((reason) => {
      if (thread !== opened) return
      kit.log.warn({ reason }, 'the thread that examines deliveries ended; they are examined by the first one')
      endedAt = kit.clock.monotonic()
      thread = undefined
      ready = false
      const left = [...away.flat(), ...gathered]
      away = []
      gathered = []
      takeBack(left)
    })
  }

  function endWhenIdle(opened: ExaminingThread): void {
    if (thread !== opened) return
    const left = away.length > 0 ? IDLE_MS : usedAt + IDLE_MS - kit.clock.monotonic()
    if (left > 0) {
      kit.clock.after(left, () => endWhenIdle(opened))
      return
    }
    thread = undefined
    ready = false
    opened.end()
  }

  function take(answers: readonly (PackedExamined | null)[]): void {
    for (const [at, asked] of (away.shift() ?? []).entries()) {
      const packed = answers[at]
      if (packed) asked.answer.resolve(unpackExamined(packed))
      else examineHere(asked)
    }
    plan()
  }

  /** A few in each turn of the event loop. */
  function takeBack(left: readonly Asked[]): void {
    for (const asked of left.slice(0, WORTH_DELIVERIES)) examineHere(asked)
    const rest = left.slice(WORTH_DELIVERIES)
    if (rest.length > 0) kit.clock.nextTurn(() => takeBack(rest))
  }

  return {
    examine(forge, request) {
      const answer = Promise.withResolvers<Examined>()
      gathered.push({ forge, request, answer })
      plan()
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

function isWorthIt(batch: readonly Asked[]): boolean {
  return batch.length >= WORTH_DELIVERIES || bytesOf(batch) >= WORTH_BYTES
}

function bytesOf(batch: readonly Asked[]): number {
  return batch.reduce((sum, { request }) => sum + request.rawBody.length, 0)
}

/** The bodies are copied once: this thread stores them too, and gives away the copy as it is. */
function packBatch(batch: readonly Asked[]): Batch {
  const bodies = new Uint8Array(bytesOf(batch))
  const places = new Map<Buffer, number>()
  let at = 0
  const deliveries = batch.map(
    ({ forge, request: { headers, authMode, receivedAt, rawBody, secrets } }): DeliveryToExamine => {
      bodies.set(rawBody, at)
      at += rawBody.length
      const own = secrets.map((secret) => {
        const place = places.get(secret) ?? places.size
        places.set(secret, place)
        return place
      })
      return {
        forge: forge.id,
        headers,
        authMode,
        receivedAt: receivedAt.getTime(),
        bodyBytes: rawBody.length,
        secrets: own,
      }
    },
  )
  return {
    deliveries: JSON.stringify(deliveries),
    bodies,
    secrets: [...places.keys()].map((secret) => new Uint8Array(secret)),
  }
}

export function openThread(): ExaminingThread {
  const worker = new Worker(new URL('./examiner-thread.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  })
  return {
    post: (batch) => worker.postMessage(batch, [batch.bodies.buffer]),
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
