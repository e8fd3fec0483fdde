import type { LogEntry } from '@signalbox/contracts/logs'
import { escapeLogLine, escapeLogText, escapeText } from '../output/escape.ts'
import type { Paint } from '../output/style.ts'

/** A line of a log with its task before it: a title where a part begins, nothing where it ends, a mark for missing ones. */
export function renderEntry(entry: LogEntry, paint: Paint, colours: boolean): string | undefined {
  if (entry.fold?.kind === 'end') return undefined
  return `${renderTask(entry, paint)}${renderText(entry, paint, colours)}`
}

/** Many plain lines with their task before each; `text` ends with a line end. */
export function renderLines(
  lines: { readonly step: string; readonly task: string; readonly text: string },
  paint: Paint,
  colours: boolean,
): string {
  const task = renderTask(lines, paint)
  const shown = escapeLogText(lines.text, colours)
  return `${task}${shown.slice(0, -1).replaceAll('\n', () => `\n${task}`)}\n`
}

function renderTask({ step, task }: { readonly step: string; readonly task: string }, paint: Paint): string {
  return `${paint('accent', escapeText(`${step}/${task}`))} ${paint('quiet', '│')} `
}

/** The same without the task. */
export function renderText({ line, fold, gap }: LogEntry, paint: Paint, colours: boolean): string {
  if (gap) return paint('quiet', `[${escapeText(line)}]`)
  if (fold?.kind === 'start') return paint('strong', `▸ ${escapeText(fold.title)}`)
  return escapeLogLine(line, colours)
}
