import type { LogEntry } from '../client/answers.ts'
import { escapeLogLine, escapeText } from '../output/escape.ts'
import type { Paint } from '../output/style.ts'

/** A line of a log with its task before it: a title where a part begins, nothing where it ends, a mark for missing ones. */
export function renderEntry(entry: LogEntry, paint: Paint, colours: boolean): string | undefined {
  if (entry.fold?.kind === 'end') return undefined
  const name = paint('accent', escapeText(`${entry.step}/${entry.task}`))
  return `${name} ${paint('quiet', '│')} ${renderText(entry, paint, colours)}`
}

/** The same without the task. */
export function renderText({ line, fold, gap }: LogEntry, paint: Paint, colours: boolean): string {
  if (gap) return paint('quiet', `[${escapeText(line)}]`)
  if (fold?.kind === 'start') return paint('strong', `▸ ${escapeText(fold.title)}`)
  return escapeLogLine(line, colours)
}
