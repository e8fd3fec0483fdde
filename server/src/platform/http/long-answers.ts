import { answeredWithin } from '#platform/database'
import { Problem, platformProblem } from '#platform/problems'
import type { Clock } from '#platform/time'
import type { Authenticator, Caller } from './caller.ts'
import { type Credentials, keyOf } from './credentials.ts'

/** An answer that is still being sent: a stream of events, a download. */
export interface LongAnswer {
  /** The token or session that the request came with; undefined on a public route. */
  readonly credentials: Credentials | undefined
  /** Whether the caller, as it is now, may still do what the route asked for. */
  isAllowed(caller: Caller): boolean
  /** The route's own judgement, for a token that is not a subject's; rejects when the answer must end. */
  readonly admitAgain?: (() => Promise<unknown>) | undefined
  /** Called once, with what a new request would be told. */
  end(problem: Problem): void
}

/** Judges every answer that is still being sent again and again, and ends it when its right is gone. */
export interface LongAnswers {
  /** Answers how to say that it was sent. */
  add(answer: LongAnswer): () => void
}

export interface LongAnswersOptions {
  readonly authenticator: Authenticator
  readonly clock: Clock
}

/**
 * An answer ends at most 5 s after its right: a look each 2 s, which takes at most 2 s. The snapshot of the grants is no
 * older than 1 s where a notification was lost, and an announced change makes us look at once.
 */
const LOOK_MS = 2000
const LOOK_TIMEOUT_MS = 2000
/** Many changes in a row, such as an import of grants, are one look. */
const REST_MS = 100

export function createLongAnswers({ authenticator, clock }: LongAnswersOptions): LongAnswers {
  const open = new Set<LongAnswer>()
  let isWatching = false

  async function watch(): Promise<void> {
    let waker = new AbortController()
    const stopListening = authenticator.onChange(() => waker.abort())
    try {
      while (open.size > 0) {
        await clock.sleep(LOOK_MS, waker.signal)
        // Before looking: a change while we look wakes us again.
        waker = new AbortController()
        await judgeAll()
        await clock.sleep(REST_MS)
      }
    } finally {
      stopListening()
      isWatching = false
    }
  }

  /** One look at each token or session, however many answers it has. */
  async function judgeAll(): Promise<void> {
    const byKey = Map.groupBy(open, ({ credentials }) => credentials && keyOf(credentials))
    await Promise.all([...byKey.values()].map(judgeTogether))
  }

  async function judgeTogether(answers: readonly LongAnswer[]): Promise<void> {
    const credentials = answers[0]?.credentials
    if (credentials) {
      const judged = await attempt(() => authenticator.authenticateAgain(credentials))
      for (const each of answers) {
        const problem = judged.problem ?? findObjection(each, judged.value)
        if (problem) end(each, problem)
      }
    }
    await Promise.all(answers.map(askRoute))
  }

  async function askRoute(each: LongAnswer): Promise<void> {
    const { admitAgain } = each
    if (!admitAgain || !open.has(each)) return
    const { problem } = await attempt(admitAgain)
    if (problem) end(each, problem)
  }

  /** A right that cannot be known in time counts as none, as for a request. */
  async function attempt<T>(ask: () => Promise<T>): Promise<{ value?: T; problem?: Problem }> {
    try {
      return { value: await answeredWithin(clock, ask(), LOOK_TIMEOUT_MS) }
    } catch (error) {
      return { problem: error instanceof Problem ? error : unavailable(error) }
    }
  }

  function end(each: LongAnswer, problem: Problem): void {
    if (open.delete(each)) each.end(problem)
  }

  return {
    add(each) {
      open.add(each)
      if (!isWatching) {
        isWatching = true
        void watch()
      }
      return () => void open.delete(each)
    },
  }
}

function findObjection(each: LongAnswer, caller: Caller | undefined): Problem | undefined {
  if (!caller) return platformProblem('unauthenticated', goneOf(each))
  if (each.isAllowed(caller)) return undefined
  return platformProblem('forbidden', 'You may no longer read this: the permission was taken away.')
}

function goneOf({ credentials }: LongAnswer): string {
  return credentials?.kind === 'session'
    ? 'Your session has ended. Sign in again.'
    : 'The token of this request is no longer valid.'
}

function unavailable(cause: unknown): Problem {
  return platformProblem(
    'authorization_unavailable',
    'Nobody can tell right now whether you may still read this. Ask again; a stream goes on with Last-Event-ID.',
    { cause },
  )
}
