import { logRoutes } from '@signalbox/contracts/logs/routes'
import { type Answer, exchange } from '../../client/index.ts'
import type { AttemptKey, LogEntry } from './log-entry.ts'

/** Reads the lines of an attempt from `from` on to the one before `end`; an answer is shorter where its lines are long. */
export async function* readLines(
  runId: string,
  { step, task, attempt }: AttemptKey,
  from: number,
  end: number,
): AsyncGenerator<readonly LogEntry[]> {
  for (let at = from; at < end; ) {
    const query = { step, task, attempt, from: at, limit: end - at }
    const { body, next }: Answer<readonly LogEntry[]> = await exchange(logRoutes.listLogLines, {
      params: { id: runId },
      query,
    })
    yield body
    const last = body.at(-1)
    if (!last || next === undefined) return
    at = last.number + (last.gap?.lines ?? 1)
  }
}
