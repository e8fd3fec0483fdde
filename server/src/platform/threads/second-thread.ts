import type { Transferable } from 'node:worker_threads'
import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'
import type { Thread } from './thread.ts'

/** Work that takes so long that this thread would answer nobody meanwhile. */
export interface SlowWork<Task, Message, Answer> {
  /** The work of the thread, for the log: "verifies large deliveries". */
  readonly what: string
  /** Does the work in the calling thread. */
  here(task: Task): Answer
  toMessage(task: Task): { readonly message: Message; readonly transfer: readonly Transferable[] }
  open(): Thread<Message, Answer>
}

export interface SecondThread<Task, Answer> {
  /** Throws, or rejects, only where `here` throws. */
  ask(task: Task): Answer | Promise<Answer>
}

interface Asked<Task, Answer> {
  readonly task: Task
  readonly answer: PromiseWithResolvers<Answer>
}

const REOPEN_MS = 10_000
/** A thread that is unused for so long ends, and gives its memory back. */
const IDLE_MS = 10_000

/** Does slow work in a second thread. No answer depends on that thread: its open tasks are done here when it ends. */
export function createSecondThread<Task, Message, Answer>(
  kit: { readonly clock: Clock; readonly log: Log },
  work: SlowWork<Task, Message, Answer>,
): SecondThread<Task, Answer> {
  let thread: Thread<Message, Answer> | undefined
  let usedAt = 0
  let endedAt = Number.NEGATIVE_INFINITY
  /** In the order in which they were handed over. */
  let away: Asked<Task, Answer>[] = []

  /** Undefined where there is none, and it is too soon for another one. */
  function theThread(): Thread<Message, Answer> | undefined {
    if (thread || kit.clock.monotonic() - endedAt < REOPEN_MS) return thread
    const opened = work.open()
    thread = opened
    opened.onMessage((answer) => {
      const asked = away.shift()
      if (!asked) return
      if (answer !== null) asked.answer.resolve(answer)
      else doHere(asked)
    })
    opened.onEnd((reason) => {
      if (thread !== opened) return
      kit.log.warn({ reason }, `the thread that ${work.what} ended; the first thread does its work`)
      endedAt = kit.clock.monotonic()
      thread = undefined
      const left = away
      away = []
      takeBack(left)
    })
    kit.clock.after(IDLE_MS, () => endWhenIdle(opened))
    return opened
  }

  function endWhenIdle(opened: Thread<Message, Answer>): void {
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
  function takeBack([asked, ...rest]: readonly Asked<Task, Answer>[]): void {
    if (!asked) return
    doHere(asked)
    kit.clock.nextTurn(() => takeBack(rest))
  }

  function doHere({ task, answer }: Asked<Task, Answer>): void {
    try {
      answer.resolve(work.here(task))
    } catch (error) {
      answer.reject(error)
    }
  }

  return {
    ask(task) {
      const there = theThread()
      if (!there) return work.here(task)
      usedAt = kit.clock.monotonic()
      const answer = Promise.withResolvers<Answer>()
      away.push({ task, answer })
      const { message, transfer } = work.toMessage(task)
      there.post(message, transfer)
      return answer.promise
    },
  }
}
