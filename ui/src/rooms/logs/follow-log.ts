import { logRoutes } from '@signalbox/contracts/logs/routes'
import { addressOf, connection, findRefusal, noteRefusal } from '../../client/index.ts'
import type { Which } from './attempts.ts'
import type { LogEntry } from './log-entry.ts'

export interface FollowEvents {
  line(entry: LogEntry): void
  /** Lines that are stored from now on are told; those before it were told to nobody. */
  ready(): void
  /** The control plane or its database is away. */
  broke(): void
  ended(): void
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 2500
/** The name of this stream for the connection. */
const LOG = 'log'

/**
 * Follows the new lines of a run; answers how to stop. A stream that broke is opened anew rather than gone on with: what was
 * missed is read where somebody looks at it, however much it is.
 */
export function followLog(runId: string, which: Which, events: FollowEvents): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isOver = false
  const close = (): void => {
    clearTimeout(timer)
    source?.close()
    source = undefined
  }
  const open = (): void => {
    close()
    const stream = new EventSource(
      addressOf(logRoutes.followLogs, { params: { id: runId }, query: { ...which, new_only: true } }),
    )
    source = stream
    const read = ({ data }: MessageEvent<unknown>): void => events.line(JSON.parse(String(data)))
    stream.addEventListener('line', read)
    stream.addEventListener('gap', read)
    stream.addEventListener('ready', () => {
      failures = 0
      connection.letIn(LOG)
      events.ready()
    })
    stream.addEventListener('away', () => events.broke())
    stream.addEventListener('eof', () => {
      end()
      events.ended()
    })
    // The session or the right is gone: whoever signs in again goes on.
    stream.addEventListener('closed', close)
    stream.addEventListener('error', () => {
      if (stream !== source) return
      // Else the connection broke.
      if (stream.readyState === EventSource.CLOSED) void learnRefusal(stream)
      close()
      timer = setTimeout(open, Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS))
      failures += 1
      events.broke()
    })
  }
  const learnRefusal = async ({ url }: EventSource): Promise<void> => {
    const { signIns } = connection
    const refusal = await findRefusal(url)
    if (refusal && !isOver) noteRefusal(connection, LOG, refusal.problem, signIns)
  }
  const forget = connection.onReturn(() => {
    if (source?.readyState !== EventSource.OPEN) open()
  })
  const end = (): void => {
    isOver = true
    forget()
    close()
    connection.letIn(LOG)
  }
  open()
  return end
}
