import type { ConnectionStore } from './connection.ts'
import { refusedAmong } from './live-refusal.ts'
import { KINDS } from './live-topics.ts'
import { findRefusal, noteRefusal } from './stream-refusal.ts'
import { openChannel } from './tabs.ts'

/** What the control plane says of a change: enough to know what to read again. */
export interface LiveEvent {
  /** The topic, such as `run:<id>`. */
  readonly topic: string
  /** Id of what changed; empty where something may have been missed. */
  readonly id: string
}

type Listener = (event: LiveEvent) => void

/** A page that is opened asks for several topics one after the other: one stream is opened for all. */
const GATHER_MS = 50
const FIRST_PAUSE_MS = 250
/** The page is back within 5 s after the control plane is, the answers that it then asks for included. */
const LONGEST_PAUSE_MS = 2500
/**
 * A hidden tab gives its connection back after this, and at once when another tab is shown: browsers have six connections
 * for each address over plain http, for all tabs.
 */
const HIDDEN_MS = 30_000
/** A `Retry-After` is heeded up to here: a page that hears nothing for longer is of no use. */
const LONGEST_WAIT_MS = 600_000
const TABS = 'signalbox-tabs'
/** The name of this stream for the connection. */
const LIVE = 'live'

/**
 * The stream of thin events of a tab (GET /v1/live). The stream is opened anew when the topics change, closed while the
 * tab is hidden, and opened again after a failure; each gap ends with a `reset`, after which pages read again.
 */
export class LiveStream {
  readonly #connection: ConnectionStore
  readonly #listeners = new Map<string, Set<Listener>>()
  #source: EventSource | undefined
  #asked = ''
  #timer: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  /** Before that (`performance.now`) the server wants no stream of this page. */
  #notBefore = 0
  /** Counts the questions why a stream was refused: only the answer to the last one counts. */
  #questions = 0
  #isOpen = false

  constructor(connection: ConnectionStore) {
    this.#connection = connection
  }

  /** Begins; answers how to end. */
  open(): () => void {
    this.#isOpen = true
    const tabs = openChannel(TABS)
    const tell = (): void => tabs?.tell(document.hidden ? 'hidden' : 'shown')
    tabs?.hear((data) => {
      if (document.hidden && data === 'shown') this.#later(0)
      // It may have heard of us while it was still shown itself.
      if (!document.hidden && data === 'hidden') tell()
    })
    const onVisibility = (): void => {
      tell()
      this.#later(document.hidden ? HIDDEN_MS : 0)
    }
    document.addEventListener('visibilitychange', onVisibility)
    tell()
    const forget = this.#connection.onReturn(() => this.#later(0))
    this.#later(0)
    return () => {
      this.#isOpen = false
      this.#questions += 1
      tabs?.close()
      document.removeEventListener('visibilitychange', onVisibility)
      forget()
      clearTimeout(this.#timer)
      this.#close()
    }
  }

  listen(topics: readonly string[], listener: Listener): () => void {
    for (const topic of topics) {
      const listeners = this.#listeners.get(topic) ?? new Set()
      this.#listeners.set(topic, listeners.add(listener))
    }
    this.#later(GATHER_MS)
    return () => {
      for (const topic of topics) {
        const listeners = this.#listeners.get(topic)
        listeners?.delete(listener)
        if (listeners?.size === 0) this.#listeners.delete(topic)
      }
      this.#later(GATHER_MS)
    }
  }

  #later(delayMs: number): void {
    clearTimeout(this.#timer)
    if (this.#isOpen) this.#timer = setTimeout(() => this.#settle(), delayMs)
  }

  /** Opens the stream that is wanted now. */
  #settle(): void {
    if (this.#connection.isLeaving) return this.#later(LONGEST_PAUSE_MS)
    const wanted = document.hidden ? '' : [...this.#listeners.keys()].toSorted().join(',')
    if (wanted === this.#asked && (this.#source !== undefined || wanted === '')) return
    this.#close()
    this.#asked = wanted
    if (wanted === '') {
      this.#questions += 1
      return this.#connection.letIn(LIVE)
    }
    const wait = this.#notBefore - performance.now()
    if (wait > 0) return this.#later(wait)
    const address = new URL(`./v1/live?topics=${encodeURIComponent(wanted)}`, document.baseURI)
    const source = new EventSource(address)
    this.#source = source
    source.addEventListener('open', () => this.#connection.reached())
    // Pages have read before the stream began: what changed in between was told to nobody.
    source.addEventListener('ready', () => {
      this.#failures = 0
      this.#connection.letIn(LIVE)
      this.#tellAll()
    })
    for (const kind of KINDS) source.addEventListener(kind, ({ data }) => this.#tell(String(data)))
    source.addEventListener('reset', () => {
      this.#connection.reached()
      this.#tellAll()
    })
    source.addEventListener('away', () => this.#connection.lost('database'))
    source.addEventListener('error', () => this.#fail(source))
  }

  #fail(source: EventSource): void {
    if (source !== this.#source) return
    // Else the connection broke, as by a restart of the control plane.
    const isRefused = source.readyState === EventSource.CLOSED
    this.#close()
    this.#failures += 1
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS)
    if (isRefused && !this.#connection.isLeaving) void this.#learnRefusal(source.url, pause)
    // An idle page asks nothing else. Once is no absence: a proxy ends streams, too.
    else if (!isRefused && this.#failures > 1) this.#connection.lost('server')
    this.#later(pause)
  }

  /**
   * A session that was ended elsewhere is said at once. A topic that is refused, such as a run that was hidden meanwhile,
   * must not close the stream for the others. Where there were too many (429), none is opened before its `Retry-After`.
   */
  async #learnRefusal(address: string, pause: number): Promise<void> {
    const { signIns } = this.#connection
    // Nothing is opened while it is not known how long to wait.
    const began = performance.now()
    this.#notBefore = began + LONGEST_PAUSE_MS
    this.#questions += 1
    const question = this.#questions
    const refusal = await findRefusal(address)
    // A late answer says nothing of the stream that was opened meanwhile.
    if (question !== this.#questions || this.#source !== undefined) return
    const seconds = refusal?.problem.status === 429 ? (refusal.problem.retryAfter ?? 0) : 0
    const now = performance.now()
    this.#notBefore = now + Math.min(seconds * 1000, LONGEST_WAIT_MS)
    this.#later(Math.max(0, began + pause - now))
    if (!refusal) return
    noteRefusal(this.#connection, LIVE, refusal.problem, signIns)
    if (refusal.problem.status !== 404 && refusal.problem.status !== 400) return
    for (const topic of refusedAmong(this.#listeners.keys(), refusal.text)) this.#listeners.delete(topic)
  }

  #close(): void {
    this.#source?.close()
    this.#source = undefined
  }

  #tell(data: string): void {
    const event = readEvent(data)
    if (!event) return
    for (const listener of this.#listeners.get(event.topic) ?? []) listener(event)
  }

  #tellAll(): void {
    for (const [topic, listeners] of this.#listeners) {
      for (const listener of listeners) listener({ topic, id: '' })
    }
  }
}

function readEvent(data: string): LiveEvent | undefined {
  const event: unknown = JSON.parse(data)
  if (typeof event !== 'object' || event === null || !('topic' in event) || typeof event.topic !== 'string') return
  const id = 'id' in event && typeof event.id === 'string' ? event.id : ''
  return { topic: event.topic, id }
}
