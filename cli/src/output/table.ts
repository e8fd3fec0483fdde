import Table from 'cli-table3'
import type { Output } from '../surroundings.ts'
import { escapeText } from './escape.ts'
import type { Paint, Tone } from './style.ts'

/** One cell: text from anywhere (escaped here), and how it looks. */
export interface Cell {
  readonly text: string
  readonly tone?: Tone
}

export type Row = readonly (string | Cell)[]

const NO_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}

/** A table with a head for a person; columns separated by tabs, without a head, for the next program in a pipe. */
export function renderTable(head: readonly string[], rows: readonly Row[], out: Output, paint: Paint): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? { text: cell } : cell)))
  if (!out.isTerminal) {
    return cells.map((row) => `${row.map((cell) => escapeText(cell.text)).join('\t')}\n`).join('')
  }
  const table = new Table({
    head: head.map((title) => paint('quiet', title.toUpperCase())),
    chars: NO_BORDERS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  })
  for (const row of cells) table.push(row.map((cell) => paint(cell.tone ?? 'plain', escapeText(cell.text))))
  return `${table.toString().replace(/[ ]+$/gm, '')}\n`
}

/** Names and values below each other, for one resource. Entries without a value are left out. */
export function renderFields(
  fields: readonly (readonly [string, string | Cell | undefined])[],
  out: Output,
  paint: Paint,
): string {
  const shown = fields.flatMap(([name, value]) => {
    const cell = typeof value === 'string' ? { text: value } : value
    return cell === undefined || cell.text === '' ? [] : [{ name, cell }]
  })
  const width = Math.max(0, ...shown.map(({ name }) => name.length))
  return shown
    .map(({ name, cell }) => {
      const text = escapeText(cell.text)
      if (!out.isTerminal) return `${name}\t${text}\n`
      return `${paint('quiet', name.padEnd(width))}  ${paint(cell.tone ?? 'plain', text)}\n`
    })
    .join('')
}
