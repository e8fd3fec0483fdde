import { randomUUID } from 'node:crypto'
import type { ForgeClock } from '../clock.ts'

/** A webhook as its forge keeps it. */
export interface Hook {
  readonly id: number
  url: string
  secret: string | null
  active: boolean
  events: readonly string[]
  /** Of GitLab, which has both: whether the secret signs, or is sent as it is. */
  signs?: boolean
}

/** One event for one webhook. */
export interface Letter {
  readonly hook: Hook
  readonly event: string
  readonly action: string | null
  readonly payload: unknown
  readonly repositoryId: number | null
  readonly installationId: number | null
}

/** One attempt to deliver, as the log of a webhook has it. */
export interface Delivery {
  readonly id: number
  /** The same for each attempt of a letter. */
  readonly guid: string
  readonly letter: Letter
  readonly redelivery: boolean
  readonly deliveredAt: string
  readonly durationS: number
  /** 0: there was no answer. */
  readonly statusCode: number
  readonly status: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
}

/**
 * What happens to letters of an event from now on. `lose`: never sent, and logged as not delivered. `drop`: never sent and
 * never logged. `lose_answer`: sent, and the answer is not waited for. `duplicate`: sent twice with one guid. `hold`:
 * sent by `release`.
 */
export type PostFault = 'lose' | 'drop' | 'lose_answer' | 'duplicate' | 'hold'

export interface Mailbox {
  /** Newest last. */
  readonly deliveries: readonly Delivery[]
  /** Letters that wait for `release`. */
  readonly held: readonly Letter[]
  /** Sends in the background, one after the other for each webhook; `settle` waits for it. */
  post(letter: Letter): void
  /** Sends an attempt once more, with its guid. */
  redeliver(delivery: Delivery): void
  /** `event`: a name such as `push`; `*`: each. `times`: for how many letters, all by default. */
  spoil(event: string, fault: PostFault, times?: number): void
  heal(): void
  /** Sends what is held; `newest_first` puts it out of order. */
  release(order?: 'in_order' | 'newest_first'): void
  /** Work that will post letters: `settle` waits for it too. */
  expect(work: Promise<void>): void
  /** Resolves once nothing is under way. */
  settle(): Promise<void>
}

export interface Post {
  readonly clock: ForgeClock
  /** The headers that prove a body, and those that name it. */
  headersOf(letter: Letter, guid: string, body: Buffer): Readonly<Record<string, string>>
  nextId(): number
}

const PATIENCE_MS = 10_000

export function createMailbox(post: Post): Mailbox {
  const deliveries: Delivery[] = []
  const held: Letter[] = []
  const spoilt: { event: string; fault: PostFault; left: number }[] = []
  const ways = new Map<Hook, Promise<void>>()
  const expected = new Set<Promise<void>>()

  /** Deliveries to one webhook keep their order. */
  function queue(hook: Hook, work: () => Promise<void>): void {
    const way = (ways.get(hook) ?? Promise.resolve()).then(work)
    ways.set(hook, way)
  }

  function takeFault(event: string): PostFault | undefined {
    const one = spoilt.find((other) => other.left > 0 && (other.event === '*' || other.event === event))
    if (one) one.left -= 1
    return one?.fault
  }

  async function deliver(letter: Letter, guid: string, redelivery: boolean, fault?: PostFault): Promise<void> {
    const body = Buffer.from(JSON.stringify(letter.payload))
    const requestHeaders = { 'content-type': 'application/json', ...post.headersOf(letter, guid, body) }
    const begun = performance.now()
    const sent = fault === 'lose' ? NEVER_SENT : await sendLetter(letter.hook.url, requestHeaders, body)
    deliveries.push({
      id: post.nextId(),
      guid,
      letter,
      redelivery,
      deliveredAt: new Date(post.clock.now()).toISOString(),
      durationS: Math.round(performance.now() - begun) / 1000,
      requestHeaders,
      ...(fault === 'lose_answer' ? ANSWER_LOST : sent),
    })
  }

  function send(letter: Letter, fault?: PostFault): void {
    const guid = randomUUID()
    queue(letter.hook, () => deliver(letter, guid, false, fault))
    if (fault === 'duplicate') queue(letter.hook, () => deliver(letter, guid, false))
  }

  return {
    deliveries,
    held,
    post(letter) {
      const fault = takeFault(letter.event)
      if (fault === 'drop') return
      if (fault === 'hold') held.push(letter)
      else send(letter, fault)
    },
    redeliver: (delivery) => queue(delivery.letter.hook, () => deliver(delivery.letter, delivery.guid, true)),
    spoil: (event, fault, times = Number.POSITIVE_INFINITY) => void spoilt.push({ event, fault, left: times }),
    heal: () => void (spoilt.length = 0),
    release(order = 'in_order') {
      const letters = held.splice(0)
      for (const letter of order === 'in_order' ? letters : letters.reverse()) send(letter)
    },
    expect(work) {
      expected.add(work)
      void work.finally(() => expected.delete(work)).catch(() => undefined)
    },
    async settle() {
      for (let seen: readonly Promise<void>[] = []; ; ) {
        const now = [...expected, ...ways.values()]
        if (now.length === seen.length && now.every((way) => seen.includes(way))) return
        await Promise.allSettled(now)
        seen = now
      }
    },
  }
}

type Sent = Pick<Delivery, 'statusCode' | 'status' | 'responseHeaders' | 'responseBody'>

const NEVER_SENT: Sent = { statusCode: 502, status: 'failed to connect to host', responseHeaders: {}, responseBody: '' }
const ANSWER_LOST: Sent = { statusCode: 504, status: 'timed out', responseHeaders: {}, responseBody: '' }

/** Never throws: a webhook that nobody answers is what a log is for. */
async function sendLetter(url: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<Sent> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal,
    })
    const responseBody = (await response.text()).slice(0, 10_000)
    return {
      statusCode: response.status,
      status: response.statusText || String(response.status),
      responseHeaders: Object.fromEntries(response.headers),
      responseBody,
    }
  } catch {
    return NEVER_SENT
  }
}
