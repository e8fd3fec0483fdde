import type { LogBlock as WireLogBlock, LogEntry as WireLogEntry } from '@signalbox/contracts/logs'
import { number, object, orNull, partOf, text } from './shape.ts'

// What the commands read of logs. The whole shapes are in contracts; --json prints all of them.

export const logEntry = partOf<WireLogEntry>()(
  object({
    step: text,
    task: text,
    attempt: number,
    number,
    line: text,
    fold: orNull(object({ kind: text, title: text })),
    gap: orNull(object({ lines: orNull(number) })),
  }),
)
export type LogEntry = ReturnType<typeof logEntry>

/** Of which lines an entry tells, without what they say. */
export const logPlace = partOf<WireLogEntry>()(
  object({ step: text, task: text, attempt: number, number, gap: orNull(object({ lines: orNull(number) })) }),
)

export const logBlock = partOf<WireLogBlock>()(
  object({ step: text, task: text, attempt: number, number, lines: number, bytes: number }),
)
