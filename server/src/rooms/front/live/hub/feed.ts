import { answeredWithin } from '#platform/database'
import type { LiveTopic } from '#platform/live'
import type { Kit } from '#platform/room'
import type { Timer } from '#platform/time'

/** A reader that comes back within this time finds the changes that it missed. */
const LINGER_MS = 60_000
/** Notifications come in floods: so long they are collected before the next ones are read. */
const REST_MS = 20
const HEARD_WITHIN_MS = 3000
/** Payloads that wait to be read. With more of them the database is not what it should be. */
const MOST_WAITING = 20_000

export interface FeedEvents {
  /** The changes behind payloads that came together; rejects where they cannot be read. */
  told(topic: LiveTopic, payloads: readonly string[]): Promise<void>
  /** Changes may have been missed. */
  lost(): void
}

/** Listens to the channels of one kind of topic while somebody follows one, and a while longer. */
export class Feed {
  readonly #kit: Kit
  readonly #topic: LiveTopic
  readonly #events: FeedEvents
  readonly #waiting = new Set<string>()
  #stops: readonly (() => void)[] = []
  #starting: Promise<void> | undefined
  #hears = false
  #isReading = false
  #followers = 0
  #end: Timer | undefined

  constructor(kit: Kit, topic: LiveTopic, events: FeedEvents) {
    this.#kit = kit
    this.#topic = topic
    this.#events = events
  }

  get hears(): boolean {
    return this.#hears
  }

  /** Resolves when every change that is committed from now on is heard of. Rejects where the database is away. */
  async listen(): Promise<void> {
    this.#lingerAgain()
    this.#starting ??= this.#start()
    try {
      await this.#starting
    } catch (error) {
      this.stop()
      throw error
    }
    // The connection may have broken since it began.
    await this.#connected()
  }

  join(): void {
    this.#followers += 1
    this.#end?.cancel()
  }

  leave(): void {
    this.#followers -= 1
    this.#lingerAgain()
  }

  stop(): void {
    this.#end?.cancel()
    for (const stop of this.#stops) stop()
    this.#stops = []
    this.#starting = undefined
    this.#hears = false
    this.#waiting.clear()
  }

  #lingerAgain(): void {
    if (this.#followers > 0) return
    this.#end?.cancel()
    this.#end = this.#kit.clock.after(LINGER_MS, () => this.stop())
  }

  async #start(): Promise<void> {
    const { notifications } = this.#kit.database
    this.#stops = this.#topic.channels.map((channel) => notifications.listen(channel, (payload) => this.#hear(payload)))
    await this.#connected()
    // What was told before belongs to no reader.
    this.#waiting.clear()
    this.#hears = true
  }

  #connected(): Promise<void> {
    return answeredWithin(this.#kit.clock, this.#kit.database.notifications.ready(), HEARD_WITHIN_MS)
  }

  #hear(payload: string | undefined): void {
    if (!this.#hears) return
    if (payload === undefined || this.#waiting.size >= MOST_WAITING) {
      this.#waiting.clear()
      this.#events.lost()
      return
    }
    this.#waiting.add(payload)
    if (!this.#isReading) void this.#read()
  }

  async #read(): Promise<void> {
    this.#isReading = true
    try {
      while (this.#waiting.size > 0) {
        const payloads = [...this.#waiting]
        this.#waiting.clear()
        await this.#events.told(this.#topic, payloads)
        await this.#kit.clock.sleep(REST_MS)
      }
    } catch (error) {
      this.#kit.log.debug(
        { err: error, kind: this.#topic.kind },
        'changes could not be read; pages read everything again',
      )
      this.#events.lost()
    } finally {
      this.#isReading = false
    }
  }
}
