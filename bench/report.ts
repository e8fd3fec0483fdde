/** One figure that a benchmark found, with its target where the project has set one. */
export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly atLeast?: number
  readonly atMost?: number
  readonly exactly?: number
}

export interface Report {
  readonly name: string
  /** One sentence: the measured thing and its counterpart. */
  readonly says: string
  readonly figures: readonly Figure[]
  /** The sources of the figures, for people. */
  readonly tables?: readonly Table[]
}

export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export function meetsTarget(figure: Figure): boolean | undefined {
  if (figure.exactly !== undefined) return figure.value === figure.exactly
  if (figure.atLeast !== undefined) return figure.value >= figure.atLeast
  if (figure.atMost !== undefined) return figure.value <= figure.atMost
  return undefined
}

/** The table of one report, for people. */
export function renderReport(report: Report): string {
  const rows = report.figures.map((figure) => [
    figure.what,
    `${readable(figure.value)} ${figure.unit}`.trim(),
    target(figure),
    verdict(figure),
  ])
  const tables = (report.tables ?? []).flatMap(({ title, columns, rows: own }) => [
    '',
    `  ${title}`,
    ...align([columns, ...own]),
  ])
  return [`${report.name}: ${report.says}`, ...align(rows), ...tables].join('\n')
}

function align(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd())
}

function target(figure: Figure): string {
  if (figure.exactly !== undefined) return `exactly ${figure.exactly}`
  if (figure.atLeast !== undefined) return `at least ${figure.atLeast}`
  if (figure.atMost !== undefined) return `at most ${figure.atMost}`
  return ''
}

function verdict(figure: Figure): string {
  const met = meetsTarget(figure)
  return met === undefined ? '' : met ? 'met' : 'MISSED'
}

function readable(value: number): string {
  if (Number.isInteger(value)) return String(value)
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}
