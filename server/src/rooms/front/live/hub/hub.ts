import type { LiveNotice } from '@signalbox/contracts/live'
import type { LiveChange, LiveTopic } from '#platform/live'
import type { Kit } from '#platform/room'
import type { Access, AccessSnapshot } from '#rooms/foundation/access'
import type { LiveMetrics } from '../metrics.ts'
import { readPosition, textOf, writePosition } from '../rules/index.ts'
import { Audiences } from './audiences.ts'
import { Feed } from './feed.ts'
import type { LiveStream } from './live-stream.ts'
import { Windows } from './windows.ts'

/** Changes that are kept for readers who come back. */
const KEPT_CHANGES = 10_000
/**
 * The windows in which a topic is told of once. Each event makes pages read again, so the more streams are open, the longer
 * a window: all of them together are told at most 200 times a second of a topic. What changes after it is told at once.
 */
const LEAST_WINDOW_MS = 100
const WINDOW_FOR_EACH_MS = 5
const LONGEST_WINDOW_MS = 2000

interface Kept {
  readonly number: number
  readonly topic: LiveTopic
  readonly change: LiveChange
}

/** Hands changes to the streams of this process that follow them, and keeps the newest for readers who come back. */
export class Hub {
  readonly #kit: Kit
  readonly #access: Pick<Access, 'snapshot'>
  readonly #metrics: LiveMetrics
  readonly #feeds: ReadonlyMap<string, Feed>
  readonly #streams = new Set<LiveStream>()
  readonly #followers = new Map<string, Set<LiveStream>>()
  readonly #windows = new Windows()
  readonly #audiences = new Audiences()
  /** The number behind which each kind was heard of without a gap. */
  readonly #heardSince = new Map<string, number>()
  readonly #stopWatching: () => void
  #epoch: string
  #newest = 0
  #kept: Kept[] = []
  /** The rights by which the kept changes were read. */
  #rights: number | undefined

  constructor(kit: Kit, access: Pick<Access, 'snapshot'>, topics: readonly LiveTopic[], metrics: LiveMetrics) {
    this.#kit = kit
    this.#access = access
    this.#metrics = metrics
    this.#epoch = kit.ids.next()
    const events = {
      told: (topic: LiveTopic, payloads: readonly string[]) => this.#read(topic, payloads),
      lost: () => this.#lose(),
    }
    this.#feeds = new Map(topics.map((topic) => [topic.kind, new Feed(kit, topic, events)]))
    this.#stopWatching = kit.database.notifications.onAway(() => this.#notifyAll('away'))
  }

  /** Resolves when every change of these kinds that is committed from now on will be told. */
  async listen(kinds: ReadonlySet<string>): Promise<void> {
    const feeds = [...this.#feeds].filter(([kind]) => kinds.has(kind))
    const silent = feeds.filter(([, feed]) => !feed.hears)
    await Promise.all(feeds.map(([, feed]) => feed.listen()))
    for (const [kind] of silent) this.#heardSince.set(kind, this.#newest)
  }

  /** Begins a stream, behind the event that its reader saw last. */
  join(stream: LiveStream, lastEventId: string | undefined, snapshot: AccessSnapshot): void {
    this.#streams.add(stream)
    stream.judgeBy(this.#audiences.of(snapshot, stream)?.rights)
    this.#metrics.open(this.#streams.size)
    for (const { text } of stream.topics) {
      const followers = this.#followers.get(text) ?? new Set()
      this.#followers.set(text, followers.add(stream))
    }
    const kinds = kindsOf(stream)
    for (const kind of kinds) this.#feeds.get(kind)?.join()
    const since = lastEventId === undefined ? this.#newest : this.#numberOf(lastEventId, kinds, snapshot)
    stream.notify(since === undefined ? 'reset' : 'ready')
    // It went away after the stream was asked for.
    if (this.#kit.database.notifications.isAway()) stream.notify('away')
    if (since === undefined) return
    const missed = this.#kept.filter(({ number, topic }) => number > since && kinds.has(topic.kind))
    for (const kept of missed) this.#tell([stream], kept, snapshot)
  }

  leave(stream: LiveStream): void {
    if (!this.#streams.delete(stream)) return
    this.#metrics.open(this.#streams.size)
    for (const { text } of stream.topics) {
      const followers = this.#followers.get(text)
      followers?.delete(stream)
      if (followers?.size !== 0) continue
      this.#followers.delete(text)
      this.#windows.forget(text)
    }
    for (const kind of kindsOf(stream)) this.#feeds.get(kind)?.leave()
  }

  /** The events that the stream may send now. Rights that changed since a change came hold for it, too. */
  take(stream: LiveStream, snapshot: AccessSnapshot): ReturnType<LiveStream['take']> {
    stream.judgeBy(this.#audiences.of(snapshot, stream)?.rights)
    const epoch = this.#epoch
    const positionOf = (number: number): string => writePosition({ epoch, number })
    const windowMs = Math.min(LONGEST_WINDOW_MS, Math.max(LEAST_WINDOW_MS, this.#streams.size * WINDOW_FOR_EACH_MS))
    const taking = { newest: this.#newest, windowMs, windows: this.#windows, positionOf }
    const taken = stream.take(this.#kit.clock.monotonic(), taking)
    for (const kind of taken.kinds) this.#metrics.told(kind, 1)
    if (taken.isReset) this.#metrics.reset()
    return taken
  }

  close(): void {
    this.#stopWatching()
    for (const feed of this.#feeds.values()) feed.stop()
  }

  async #read(topic: LiveTopic, payloads: readonly string[]): Promise<void> {
    const epoch = this.#epoch
    const changes = await topic.read(payloads)
    const snapshot = await this.#access.snapshot()
    // Lost meanwhile: every reader reads all of it again.
    if (epoch !== this.#epoch) return
    if (this.#rights !== snapshot.revision) {
      this.#forget(snapshot.revision)
      for (const stream of this.#streams) stream.judgeBy(this.#audiences.of(snapshot, stream)?.rights)
    }
    for (const change of changes) {
      this.#newest += 1
      const kept = { number: this.#newest, topic, change }
      this.#kept.push(kept)
      const followers = new Set(
        change.names.flatMap((name) => [...(this.#followers.get(textOf(topic.kind, name)) ?? [])]),
      )
      this.#tell(followers, kept, snapshot)
    }
    if (this.#kept.length > KEPT_CHANGES * 1.5) this.#kept = this.#kept.slice(-KEPT_CHANGES)
  }

  /** Judges once for each audience, not for each stream. */
  #tell(streams: Iterable<LiveStream>, { number, topic, change }: Kept, snapshot: AccessSnapshot): void {
    const names = new Set(change.names.map((name) => textOf(topic.kind, name)))
    const verdicts = new Map<string, boolean>()
    for (const stream of streams) {
      const audience = this.#audiences.of(snapshot, stream)
      if (!audience) continue
      const group = topic.isByPermissions ? audience.roles : audience.account
      const isFor = verdicts.get(group) ?? change.isFor(audience.viewer)
      verdicts.set(group, isFor)
      if (!isFor) continue
      for (const { text } of stream.topics) if (names.has(text)) stream.note(text, change, number)
    }
  }

  /** Undefined where changes behind the event are not known any more. */
  #numberOf(eventId: string, kinds: ReadonlySet<string>, snapshot: AccessSnapshot): number | undefined {
    const position = readPosition(eventId)
    if (position?.epoch !== this.#epoch) return undefined
    const { number } = position
    const oldest = this.#kept[0]?.number ?? this.#newest + 1
    if (number > this.#newest || number < oldest - 1 || (number < this.#newest && this.#rights !== snapshot.revision))
      return undefined
    return [...kinds].every((kind) => (this.#heardSince.get(kind) ?? Infinity) <= number) ? number : undefined
  }

  /** What was read by other rights is told to nobody later. */
  #forget(rights: number): void {
    this.#rights = rights
    this.#kept = []
  }

  #lose(): void {
    this.#epoch = this.#kit.ids.next()
    this.#newest = 0
    this.#kept = []
    for (const kind of this.#heardSince.keys()) this.#heardSince.set(kind, 0)
    // While the database is away, nothing can be read again: its return is told.
    if (!this.#kit.database.notifications.isAway()) this.#notifyAll('reset')
  }

  #notifyAll(notice: LiveNotice): void {
    for (const stream of this.#streams) stream.notify(notice)
  }
}

function kindsOf({ topics }: LiveStream): ReadonlySet<string> {
  return new Set(topics.map(({ kind }) => kind))
}
