import type { Figure, Report } from '../report.ts'
import { median, percentile } from '../stats.ts'
import type { Round } from './measured-page.ts'

export const ROUNDS = 20

/** A bar of the web application, and what was found. */
export interface Bar {
  readonly figures: readonly Figure[]
  /** One line of the table of what bounds each bar. */
  readonly bounds?: readonly string[]
}

/** Measures twenty rounds. The figure is their p95: with twenty, the second slowest. */
export async function bar(what: string, atMost: number, measure: (round: number) => Promise<Round>): Promise<Bar> {
  return barOf(what, atMost, await measureRounds(measure))
}

export async function measureRounds(measure: (round: number) => Promise<Round>): Promise<readonly Round[]> {
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(round))
  return rounds
}

export function barOf(what: string, atMost: number, rounds: readonly Round[]): Bar {
  const p95 = percentile(
    rounds.map(({ ms }) => ms),
    0.95,
  )
  return { figures: [{ what: `${what}: p95`, value: p95, unit: 'ms', atMost }], bounds: boundsOf(what, rounds) }
}

/** What bounds some of the rounds of a bar: a line of the table alone. */
export function partOf(what: string, rounds: readonly Round[]): Bar {
  return { figures: [], bounds: boundsOf(what, rounds) }
}

const PARTS = {
  server: 'server',
  network: 'network',
  script: 'script',
  layout: 'layout',
  rest: 'paint and rest',
} as const satisfies Partial<Record<keyof Round, string>>

type Part = keyof typeof PARTS

function boundsOf(what: string, rounds: readonly Round[]): readonly string[] {
  const of = (part: keyof Round): number => median(rounds.map((round) => round[part]))
  const parts = (Object.keys(PARTS) as Part[]).map((part) => [part, of(part)] as const)
  const [largest] = parts.toSorted((a, b) => b[1] - a[1])
  const text = (value: number): string => value.toFixed(value < 10 ? 1 : 0)
  const longest = Math.max(...rounds.map((round) => round.longest))
  return [
    what,
    text(of('ms')),
    ...parts.map(([, value]) => text(value)),
    text(longest),
    largest ? PARTS[largest[0]] : '',
  ]
}

/** The report of `npm run bench -- web`. */
export function reportOf(bars: readonly Bar[]): Report {
  return {
    name: 'web',
    says: `the page in a real browser over loopback, p95 of ${ROUNDS}`,
    figures: bars.flatMap(({ figures }) => figures),
    tables: [
      {
        title: 'What bounds each (medians, ms; script, layout and the rest are CPU time of the main thread)',
        columns: ['bar', 'p50', ...Object.values(PARTS), 'longest task', 'mostly'],
        rows: bars.flatMap(({ bounds }) => (bounds ? [bounds] : [])),
      },
    ],
  }
}
