import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { MOST_STREAMS, type ServerEvent } from '#platform/sse'
import { liveProblem } from '../errors.ts'
import { LiveStream } from '../hub/live-stream.ts'
import type { Means } from '../means.ts'
import { readTopics, type Topic } from '../rules/index.ts'

export interface Following {
  readonly topics: string
  readonly lastEventId: string | undefined
  readonly signal: AbortSignal
}

/**
 * The changes of these topics from now on, or behind the event that the follower saw last. Throws invalid_request (400)
 * for what is no topic, not_found (404) for one that the caller may not follow, as for an absent one, and
 * live.too_many_streams (429).
 */
export async function followChanges(
  means: Means,
  caller: Caller,
  { topics: text, lastEventId, signal }: Following,
): Promise<AsyncGenerator<readonly ServerEvent[]>> {
  const kinds = new Map(means.topics.map((topic) => [topic.kind, topic]))
  const read = readTopics(text, kinds)
  if ('fault' in read) {
    throw platformProblem('invalid_request', read.fault, { errors: [{ field: 'topics', message: read.fault }] })
  }
  for (const topic of read.topics) await requireFollowable(caller, topic, kinds)
  requireRoom(means, caller, signal)
  await listen(means, read.topics)
  const { kind, id, token } = caller
  const stream = new LiveStream(read.topics, { kind, id, ...(token ? { token } : {}) })
  return tell(means, stream, { lastEventId, signal })
}

async function requireFollowable(
  caller: Caller,
  topic: Topic,
  kinds: ReadonlyMap<string, Means['topics'][number]>,
): Promise<void> {
  if (await kinds.get(topic.kind)?.mayFollow(caller, topic.name)) return
  throw platformProblem('not_found', `There is no topic ${topic.text} that you may follow.`)
}

/** Throws live.too_many_streams (429). */
function requireRoom({ open }: Means, caller: Caller, signal: AbortSignal): void {
  if (open.take(caller, signal)) return
  const detail = `You have ${MOST_STREAMS} streams of changes open: close one, then ask again.`
  throw liveProblem('live.too_many_streams', detail, { headers: { 'retry-after': '10' } })
}

async function listen({ hub }: Means, topics: readonly Topic[]): Promise<void> {
  try {
    await hub.listen(new Set(topics.map(({ kind }) => kind)))
  } catch (cause) {
    throw platformProblem('database_unavailable', 'Changes cannot be heard of right now. Ask again.', {
      cause,
      headers: { 'retry-after': '2' },
    })
  }
}

async function* tell(
  { access, hub, clock }: Means,
  stream: LiveStream,
  { lastEventId, signal }: Omit<Following, 'topics'>,
): AsyncGenerator<readonly ServerEvent[]> {
  const snapshot = await access.snapshot()
  const wake = (): void => stream.wake()
  signal.addEventListener('abort', wake, { once: true })
  hub.join(stream, lastEventId, snapshot)
  try {
    while (!signal.aborted) {
      // Before looking: a change while we look wakes us again.
      const { woken } = stream
      const { events, waitMs } = hub.take(stream, await access.snapshot())
      if (events.length > 0) yield events
      else await clock.sleep(waitMs, woken)
    }
  } finally {
    signal.removeEventListener('abort', wake)
    hub.leave(stream)
  }
}
