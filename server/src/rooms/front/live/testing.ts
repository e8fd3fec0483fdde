import assert from 'node:assert/strict'
import { systemClock } from '#platform/time'

const PATIENCE_MS = 20_000

export interface SeenEvent {
  readonly event: string
  readonly id: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}

export interface Follower {
  /** Everything that came so far, but pings. */
  readonly seen: readonly SeenEvent[]
  /** The next event from `behind` on that is wanted; rejects when the stream is over. */
  until(wanted: (event: SeenEvent) => boolean, behind?: number): Promise<SeenEvent>
  /** Resolves when the stream is over. */
  readonly over: Promise<void>
  close(): void
}

export interface FollowWish {
  readonly topics: string
  readonly lastEventId?: string
  /** By default a bearer token; a cookie where the caller has a session. */
  readonly headers: Readonly<Record<string, string>>
}

/** Follows topics over a real connection; resolves at the first event. */
export async function follow(url: string, { topics, lastEventId, headers }: FollowWish): Promise<Follower> {
  const closing = new AbortController()
  const answer = await fetch(`${url}/v1/live?topics=${encodeURIComponent(topics)}`, {
    headers: { ...headers, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
    signal: closing.signal,
  })
  assert.equal(answer.status, 200, answer.status === 200 ? '' : await answer.text())
  assert.ok(answer.body)
  const seen: SeenEvent[] = []
  let heard = Promise.withResolvers<void>()
  const wake = (): void => {
    heard.resolve()
    heard = Promise.withResolvers()
  }
  let isOver = false
  const over = read(answer.body, (event) => {
    seen.push(event)
    wake()
  })
    .catch(() => undefined)
    .finally(() => {
      isOver = true
      wake()
    })
  const follower: Follower = {
    seen,
    over,
    async until(wanted, behind = 0) {
      let isLate = false
      const late = systemClock.after(PATIENCE_MS, () => {
        isLate = true
        wake()
      })
      for (let at = behind; ; ) {
        for (; at < seen.length; at += 1) {
          const event = seen[at]
          if (!event || !wanted(event)) continue
          late.cancel()
          return event
        }
        if (isOver) throw new Error(`The stream is over; it told ${JSON.stringify(seen)}`)
        await heard.promise
        if (isLate) throw new Error(`Nothing of the kind came; it told ${JSON.stringify(seen)}`)
      }
    },
    close: () => closing.abort(),
  }
  await follower.until(() => true)
  return follower
}

async function read(body: AsyncIterable<Uint8Array>, hear: (event: SeenEvent) => void): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const fields = new Map(
        frame.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
      )
      const data = fields.get('data')
      if (data !== undefined) {
        hear({ event: fields.get('event') ?? 'message', id: fields.get('id'), data: JSON.parse(data) })
      }
    }
  }
}

/** Whether the event tells of a change of this topic, and of this thing where one is named. */
export function tells(topic: string, id?: string) {
  return ({ data }: SeenEvent): boolean => data['topic'] === topic && (id === undefined || data['id'] === id)
}
