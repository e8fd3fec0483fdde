import type { LiveNotice } from '@signalbox/contracts/live'
import type { Caller } from '#platform/http'
import type { LiveChange } from '#platform/live'
import type { ServerEvent } from '#platform/sse'
import { joinChange, type Topic, type Untold } from '../rules/index.ts'
import type { Windows } from './windows.ts'

const WOKEN = 'woken'
/** The longest sleep of a stream that has nothing to tell. */
const IDLE_MS = 60_000

export interface Taken {
  readonly events: readonly ServerEvent[]
  /** The kinds of the events. */
  readonly kinds: readonly string[]
  readonly isReset: boolean
  /** How long to wait for more, unless the stream is woken. */
  readonly waitMs: number
}

export interface Taking {
  /** The number of the last change that was noted anywhere. */
  readonly newest: number
  /** Of the windows in which a topic is told of. */
  readonly windowMs: number
  readonly windows: Windows
  readonly positionOf: (number: number) => string
}

/**
 * What one stream has yet to tell. However slow its reader, it holds at most one change for each topic. The id of an
 * event is the position behind which nothing is untold, so a reader that goes on there misses nothing.
 */
export class LiveStream {
  readonly topics: readonly Topic[]
  readonly viewer: Pick<Caller, 'kind' | 'id' | 'token'>
  readonly #untold = new Map<string, Untold>()
  /** When a topic was told of last, by its text; monotonic. */
  readonly #told = new Map<string, number>()
  #rights: string | undefined
  #notice: LiveNotice | undefined
  #waker = new AbortController()

  constructor(topics: LiveStream['topics'], viewer: LiveStream['viewer']) {
    this.topics = topics
    this.viewer = viewer
  }

  /** Aborts when there may be more to tell. Ask for it before `take`. */
  get woken(): AbortSignal {
    if (this.#waker.signal.aborted) this.#waker = new AbortController()
    return this.#waker.signal
  }

  wake(): void {
    // A reason of our own: the default is an error with a stack, made for each event of each stream.
    this.#waker.abort(WOKEN)
  }

  note(topic: string, change: LiveChange, number: number): void {
    this.#untold.set(topic, joinChange(this.#untold.get(topic), change, number))
    this.wake()
  }

  /** The next event. `reset`: changes may have been missed. `away`: the database is away, and `reset` follows. */
  notify(notice: LiveNotice): void {
    if (notice === 'reset') this.#untold.clear()
    this.#notice = notice
    this.wake()
  }

  /** Other rights than before: what is untold was judged by the old ones, and what is shown may be hidden now, or more. */
  judgeBy(rights: string | undefined): void {
    if (this.#rights === rights) return
    const isFirst = this.#rights === undefined
    this.#rights = rights
    if (!isFirst) this.notify('reset')
  }

  /** What may be told now. */
  take(now: number, { newest, windowMs, windows, positionOf }: Taking): Taken {
    const notice = this.#notice
    this.#notice = undefined
    const due: (readonly [Topic, Untold])[] = []
    let waitMs = IDLE_MS
    for (const topic of this.topics) {
      const untold = this.#untold.get(topic.text)
      if (!untold) continue
      const begun = windows.at(topic.text, now, windowMs)
      if ((this.#told.get(topic.text) ?? -Infinity) < begun) due.push([topic, untold])
      else waitMs = Math.min(waitMs, begun + windowMs - now)
    }
    for (const [{ text }] of due) {
      this.#untold.delete(text)
      this.#told.set(text, now)
    }
    const first = Math.min(newest + 1, ...[...this.#untold.values()].map((untold) => untold.first))
    const id = positionOf(first - 1)
    const told = due.map(([{ kind, text: topic }, { id: of, change }], at): ServerEvent => {
      // Only behind the last of them nothing is untold.
      const position = at === due.length - 1 ? { id } : {}
      return { event: kind, ...position, data: { topic, id: of, change } }
    })
    // With changes to tell, a notice carries no position: a reader that went on behind it would miss them.
    const noticed = notice ? [{ event: notice, ...(due.length > 0 ? {} : { id }), data: {} }] : []
    return {
      events: [...noticed, ...told],
      kinds: due.map(([{ kind }]) => kind),
      isReset: notice === 'reset',
      waitMs,
    }
  }
}
