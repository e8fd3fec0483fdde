import { stripVTControlCharacters } from 'node:util'
import Table from 'cli-table3'
import type { Output } from '../surroundings.ts'
import { escapeText } from './escape.ts'
import type { Paint, Tone } from './style.ts'

/** One cell: text from anywhere (escaped here), and how it looks. */
export interface Cell {
  readonly text: string
  readonly tone?: Tone
}

/** A name and its value; without a value it is left out. */
export type Field = readonly [name: string, value: string | Cell | undefined]

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

const GAP = NO_BORDERS.middle.length
/** A column of prose that would become narrower than this is left to the terminal. */
const NARROW = 24

/**
 * For a person: a table with a head, without empty columns. For the next program in a pipe: all columns, separated by tabs,
 * without a head. Where a table is wider than the terminal, its widest column of prose is broken between words. A table
 * that is still too wide becomes a few lines for each row.
 */
export function renderTable(head: readonly string[], rows: readonly Row[], out: Output, paint: Paint): string {
  const cells = rows.map((row) =>
    row.map((cell) => {
      const { text, tone = 'plain' }: Cell = typeof cell === 'string' ? { text: cell } : cell
      return { text: escapeText(text), tone }
    }),
  )
  if (!out.isTerminal) return cells.map((row) => `${row.map(({ text }) => text).join('\t')}\n`).join('')
  const filled = [...head.keys()].filter((at) => rows.length === 0 || cells.some((row) => row[at]?.text))
  const columns = filled.map((at) => [head[at] ?? '', ...cells.map((row) => row[at]?.text ?? '')])
  const table = new Table({
    head: filled.map((at) => paint('quiet', (head[at] ?? '').toUpperCase())),
    chars: NO_BORDERS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colWidths: widthsWithin(out.columns, columns),
    wordWrap: true,
  })
  for (const row of cells) table.push(filled.map((at) => paint(row[at]?.tone ?? 'plain', row[at]?.text ?? '')))
  const drawn = `${table.toString().replace(/[ ]+$/gm, '')}\n`
  const fits = rows.length === 0 || drawn.split('\n').every((line) => widthOf(line) <= out.columns)
  return fits ? drawn : cells.map((row) => renderRow(head, row, out.columns, paint)).join('')
}

function widthOf(text: string): number {
  return stripVTControlCharacters(text).length
}

/** The first cell, and below it the others with their titles, as many to a line as fit. Texts are escaped already. */
function renderRow(
  head: readonly string[],
  [first, ...others]: readonly Cell[],
  columns: number,
  paint: Paint,
): string {
  const shown = others.flatMap(({ text, tone }, index) => {
    const title = head[index + 1] ?? ''
    const cell = paint(tone ?? 'plain', text)
    return text === '' ? [] : [title === '' ? cell : `${paint('quiet', title)} ${cell}`]
  })
  const lines: string[] = []
  for (const cell of shown) {
    const joined = `${lines.at(-1) ?? ''}  ${cell}`
    if (lines.length > 0 && widthOf(joined) <= columns) lines[lines.length - 1] = joined
    else lines.push(`  ${cell}`)
  }
  return [first ? paint(first.tone ?? 'plain', first.text) : '', ...lines].map((line) => `${line}\n`).join('')
}

/** Null: as wide as what stands in it. */
function widthsWithin(width: number, columns: readonly (readonly string[])[]): (number | null)[] {
  const wide = columns.map((texts) => Math.max(...texts.map(({ length }) => length)))
  const most = Math.max(...wide)
  const at = wide.indexOf(most)
  const rest = width - (wide.reduce((sum, one) => sum + one + GAP, -GAP) - most)
  const longest = Math.max(0, ...(columns[at] ?? []).flatMap((text) => text.split(' ')).map(({ length }) => length))
  // A word that is cut cannot be copied any more.
  const breaks = rest < most && rest >= Math.max(NARROW, longest)
  return wide.map((_, column) => (breaks && column === at ? rest : null))
}

/** Names and values below each other, for one resource. */
export function renderFields(fields: readonly Field[], out: Output, paint: Paint): string {
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
