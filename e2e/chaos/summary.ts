import { INVARIANTS } from './checker/index.ts'
import type { Outcome } from './drive.ts'
import type { Seen } from './history.ts'

/** A summary of the faults and of the violations in a few lines. */
export function summarize(seed: number, minutes: number, { history, violations, file }: Outcome): string {
  const { seen, stored } = history
  const of = <K extends Seen['kind']>(kind: K) => seen.filter((one): one is Seen & { kind: K } => one.kind === kind)
  const count = (words: readonly string[]): string =>
    [...Map.groupBy(words, (word) => word)].map(([word, some]) => `${word} ${some.length}`).join(', ') || 'none'
  const longest = of('recovered').toSorted((a, b) => b.tookMs - a.tookMs)[0]
  const quiet = of('quiet')[0]
  const lines = [...stored.logs.values()].reduce((sum, log) => sum + log.length, 0)
  const rows: readonly (readonly [string, string])[] = [
    ['faults', count(of('fault').map(({ fault }) => fault))],
    ['longest recovery', longest ? `${longest.tookMs} ms after ${longest.fault} of ${longest.target}` : 'none'],
    ['settled', quiet ? `${quiet.settledMs} ms after the last fault` : 'not in time'],
    [
      'deliveries',
      `${stored.deliveries.length} records; answers ${count(of('delivered').map(({ status }) => String(status ?? 'none')))}`,
    ],
    ['runs', `${stored.runs.length}: ${count(stored.runs.map(({ status }) => status))}`],
    ['attempts', `${stored.attempts.length}: ${count(stored.attempts.map(({ status }) => status))}`],
    ['lines', `${lines} stored, ${of('line').length} followed, ${of('effect').length} side effects`],
    ['intruders', count(of('intruded').map(({ status }) => String(status ?? 'no answer')))],
    [
      'sizes',
      of('size')
        .map(({ size }) => `${size.process} ${size.when} ${Math.round(size.residentMb)} MB ${size.files} files`)
        .join('; '),
    ],
    ['history', file],
  ]
  const told = rows.map(([name, text]) => `${name.padEnd(17)} ${text}`)
  if (violations.length === 0) return [...told, `Seed ${seed}: every invariant held.`].join('\n')
  const broken = violations
    .slice(0, 50)
    .map(({ invariant, what, ids }) => `${invariant} ${INVARIANTS[invariant]}\n   ${what}\n   ${ids.join(' ')}`)
  const again = `Seed ${seed}: ${violations.length} violations. Again: npm run chaos -- --minutes ${minutes} --seed ${seed}`
  return [...told, ...broken, again].join('\n')
}
