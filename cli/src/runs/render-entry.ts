import { isUtf8 } from 'node:buffer'
import type { LogEntry } from '@signalbox/contracts/logs'
import { escapeLogLine, escapeLogText, escapeText } from '../output/escape.ts'
import type { Paint } from '../output/style.ts'

const LINE_END = 0x0a

/** A line of a log with its task before it: a title where a part begins, nothing where it ends, a mark for missing ones. */
export function renderEntry(entry: LogEntry, paint: Paint, colours: boolean): string | undefined {
  if (entry.fold?.kind === 'end') return undefined
  return `${renderTask(entry, paint)}${renderText(entry, paint, colours)}`
}

/** Many plain lines with their task before each, as UTF-8; `text` ends with a line end. */
export function renderLines(
  lines: { readonly step: string; readonly task: string; readonly text: Buffer },
  paint: Paint,
  colours: boolean,
): Buffer {
  const text = lines.text.toString()
  const shown = escapeLogText(text, colours)
  // Bytes that are no UTF-8 could steer a terminal: none is shown as it came.
  const bytes = shown === text && isUtf8(lines.text) ? lines.text : Buffer.from(shown)
  return prefixLines(bytes, Buffer.from(renderTask(lines, paint)))
}

/**
 * The pieces are bytes, because a string of half a million lines with `│` in each takes twice the time to join and to
 * encode.
 */
function prefixLines(text: Buffer, prefix: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf(LINE_END, at) + 1
    parts.push(prefix, text.subarray(at, end))
    at = end
  }
  return Buffer.concat(parts)
}

function renderTask({ step, task }: { readonly step: string; readonly task: string }, paint: Paint): string {
  return `${paint('accent', escapeText(`${step}/${task}`))} ${paint('quiet', '│')} `
}

/** Renders an entry without its task. */
export function renderText({ line, fold, gap }: LogEntry, paint: Paint, colours: boolean): string {
  if (gap) return paint('quiet', `[${escapeText(line)}]`)
  if (fold?.kind === 'start') return paint('strong', `▸ ${escapeText(fold.title)}`)
  return escapeLogLine(line, colours)
}
