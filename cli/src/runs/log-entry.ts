import type { LogBlock, LogEntry } from '@signalbox/contracts/logs'

/** Whether a document of a log is a line of it, or the mark of missing ones. */
export function isLogEntry(document: unknown): document is LogEntry {
  return typeof document === 'object' && document !== null && 'line' in document
}

/** Whether it is the head of a block of lines. */
export function isLogBlock(document: unknown): document is LogBlock {
  return typeof document === 'object' && document !== null && 'bytes' in document
}
