import type { LogEntry } from '@signalbox/contracts/logs'
import { toWireTime } from '#platform/time'
import { readFold } from '../rules/folds.ts'
import type { Line } from './read-lines.ts'

/** A line as it is sent, with the number behind it. */
export interface PresentedLine {
  readonly entry: LogEntry
  readonly nextLine: number
  /** `entry` as JSON: the same for everybody who follows. */
  readonly json: string
}

export function toEntry(line: Line): LogEntry {
  const fold = line.gap ? undefined : readFold(line.text)
  return {
    line: line.text,
    number: line.number,
    step: line.attempt.step,
    task: line.attempt.task,
    attempt: line.attempt.number,
    stream: line.stream,
    at: toWireTime(line.at),
    ...(line.continued ? { continued: true } : {}),
    ...(fold ? { fold } : {}),
    ...(line.gap ? { gap: line.gap } : {}),
  }
}

export function presentLine(line: Line): PresentedLine {
  const entry = toEntry(line)
  // Behind a mark of unknown length is what nobody wrote: who has seen the mark is not shown it again.
  return { entry, nextLine: line.number + (line.gap?.lines ?? 1), json: JSON.stringify(entry) }
}
