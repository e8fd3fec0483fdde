import { logRoutes } from '@signalbox/contracts/logs/routes'
import { addressOf } from '../../client/index.ts'
import type { LogEntry } from './log-entry.ts'

interface Which {
  readonly step?: string | undefined
  readonly task?: string | undefined
  readonly attempt?: number | undefined
}

export interface FollowEvents {
  line(entry: LogEntry): void
  /** The stream is open: lines that are stored from now on are told. */
  opened(): void
  ended(): void
}

const AGAIN_MS = 1000

/** Follows the new lines of a run; answers how to stop. The browser goes on behind the last line after a short break. */
export function followLog(runId: string, which: Which, events: FollowEvents): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const end = (): void => {
    isOver = true
    clearTimeout(timer)
    source?.close()
  }
  const open = (): void => {
    const query = { ...which, new_only: true }
    source = new EventSource(addressOf(logRoutes.followLogs, { params: { id: runId }, query }))
    const read = ({ data }: MessageEvent<unknown>): void => events.line(JSON.parse(String(data)))
    source.addEventListener('line', read)
    source.addEventListener('gap', read)
    source.addEventListener('open', () => events.opened())
    source.addEventListener('eof', () => {
      end()
      events.ended()
    })
    source.addEventListener('closed', end)
    source.addEventListener('error', () => {
      // A refused stream is not tried again by the browser itself.
      if (source?.readyState === EventSource.CLOSED && !isOver) timer = setTimeout(open, AGAIN_MS)
    })
  }
  open()
  return end
}
